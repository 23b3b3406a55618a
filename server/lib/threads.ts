/** Work in a thread of its own, with a limit of time and memory: for input that may be made to hold up the server. */
import { Worker } from 'node:worker_threads';

export interface ThreadWork {
  /** The thread's program beside its caller, as a `.ts` file. */
  source: URL;
  /** The same in the bundle, where all programs lie in one folder: a name of `scripts/build-server.mjs`. */
  bundled: string;
  /** What the program reads as `workerData`. */
  data: unknown;
  /** From when the program says `ready`: a busy machine may take long to load it, which is not the input's fault. */
  timeoutMs: number;
  /** Memory of its heap, in MiB. Buffers get `BUFFERS_MB` beside it. */
  memoryMb: number;
  signal?: AbortSignal | undefined;
  /** The error when it takes too long or too much. */
  onLimit(): Error;
}

/** What a program posts once it is loaded, before it begins. */
export const READY = 'ready';

/** How much the process may grow beside the heap while a thread runs, in MiB: the input, its copy, what it inflates to. */
const BUFFERS_MB = 256;
/** Between two looks at that, in milliseconds: inflating fills some 50 MB meanwhile. */
const LOOK_MS = 100;

/** The program's answer: its one message after `READY`. Rejects with `onLimit`, with the signal's reason, or with what the program threw. */
export function runInThread<T>({
  source,
  bundled,
  data,
  timeoutMs,
  memoryMb,
  signal,
  onLimit,
}: ThreadWork): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const options = { workerData: data, env: {}, resourceLimits: { maxOldGenerationSizeMb: memoryMb } };
    const worker = startWorker(source, bundled, options);
    let timer: NodeJS.Timeout | undefined;
    // A few kilobytes may inflate to gigabytes of buffers, which the limit of the heap does not count.
    const mostBytes = process.memoryUsage.rss() + (memoryMb + BUFFERS_MB) * 1024 * 1024;
    const look = setInterval(() => process.memoryUsage.rss() > mostBytes && isOver(), LOOK_MS);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener('abort', onAbort);
      settle();
      void worker.terminate();
    };
    const onAbort = () => end(() => reject(signal?.reason));
    const isOver = () => end(() => reject(onLimit()));
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.on('message', (answer: T | typeof READY) => {
      if (answer === READY) timer = setTimeout(isOver, timeoutMs);
      else end(() => resolve(answer as T));
    });
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError) isOver();
      else end(() => reject(error));
    });
  });
}

/** Beside the bundle when built; from the sources, where a thread has to load tsx by itself. */
function startWorker(source: URL, bundled: string, options: ConstructorParameters<typeof Worker>[1]): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${bundled}.js`, import.meta.url), options);
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(source.href)}); })`;
  return new Worker(load, { ...options, eval: true });
}
