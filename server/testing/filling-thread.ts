/** A thread that fills buffers and no heap, as inflating does: 64 MiB at a time, `blocks` times, with a breath in between. */
import { parentPort, workerData } from 'node:worker_threads';
import { READY } from '../lib/threads';

const { blocks } = workerData as { blocks: number };
parentPort?.postMessage(READY);
const held: Buffer[] = [];
const breath = new Int32Array(new SharedArrayBuffer(4));
for (let block = 0; block < blocks; block++) {
  held.push(Buffer.alloc(64 * 1024 * 1024, 1));
  Atomics.wait(breath, 0, 0, 50);
}
parentPort?.postMessage({ held: held.length });
