/** Entry of the worker thread that turns one HTML page into text and ends. Started by `convert-html.ts` only. */
import { parentPort, workerData } from 'node:worker_threads';
import { type HtmlWorkerMessage, readHtmlPage } from './html-page';

const say = (message: HtmlWorkerMessage) => parentPort?.postMessage(message);
const { html, url } = workerData as { html: string; url: string };
say('ready');
say(readHtmlPage(html, url));
