/** Converts HTML in a thread of its own, with a limit of time and memory, so that no page can hold up the server. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ToolError } from '../types';
import type { HtmlPage, HtmlWorkerMessage } from './html-page';

/** Ordinary pages take well below half a second; a megabyte of plain paragraphs about 0.3 s. */
const CONVERSION_TIMEOUT_MS = 8000;

/** Rejects with a ToolError when the page is too intricate, with the signal's reason when aborted. */
export function convertHtml(
  html: string,
  url: string,
  signal: AbortSignal,
  timeoutMs = CONVERSION_TIMEOUT_MS,
): Promise<HtmlPage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = startWorker({ workerData: { html, url }, env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
      void worker.terminate();
    };
    const onAbort = () => end(() => reject(signal.reason));
    const tooIntricate = () => end(() => reject(new ToolError(`${url} is too intricate to be turned into text.`)));
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', (message: HtmlWorkerMessage) => {
      // From here on: how long a thread takes to start says something about the machine, not about the page.
      if (message === 'ready') timer = setTimeout(tooIntricate, timeoutMs);
      else end(() => resolve(message));
    });
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError) tooIntricate();
      else end(() => reject(error));
    });
  });
}

/** Beside the bundle when built; beside this file from the sources, where a thread has to load tsx by itself. */
function startWorker(options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./html-worker.js', import.meta.url), options);
  const entry = new URL('./html-worker.ts', import.meta.url).href;
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(entry)}); })`;
  return new Worker(load, { ...options, eval: true });
}
