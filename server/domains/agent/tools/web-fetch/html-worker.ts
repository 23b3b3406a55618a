/** Entry of the worker thread that turns one HTML page into text and ends. Started by `convert-html.ts` only. */
import { parentPort, workerData } from 'node:worker_threads';
import { READY } from '../../../../lib/threads';
import { readHtmlPage } from './html-page';

const { html, url } = workerData as { html: string; url: string };
parentPort?.postMessage(READY);
parentPort?.postMessage(readHtmlPage(html, url));
