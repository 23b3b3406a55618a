/** Entry of the worker thread that reads the text of one document and ends. Started by `read-document.ts` only. */
import { parentPort, workerData } from 'node:worker_threads';
import { READY } from '../../../lib/threads';
import { type DocumentKind, documentText } from './document-text';

const { kind, bytes } = workerData as { kind: DocumentKind; bytes: Uint8Array };
try {
  parentPort?.postMessage({ text: await documentText(kind, bytes, () => parentPort?.postMessage(READY)) });
} catch (error) {
  // Damaged or locked: the reader says so in words of its own.
  parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) });
}
