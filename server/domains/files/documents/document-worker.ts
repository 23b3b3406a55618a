/** Entry of the worker thread that reads the text of one document and ends. Started by `read-document.ts` only. */
import { parentPort, workerData } from 'node:worker_threads';
import { READY } from '../../../lib/threads';
import type { DocumentKind } from './read-document';

const { kind, bytes } = workerData as { kind: DocumentKind; bytes: Uint8Array };

async function readPdf(): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  parentPort?.postMessage(READY);
  const document = await getDocument({ data: bytes, isEvalSupported: false, disableFontFace: true, verbosity: 0 })
    .promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    pages.push(`[Page ${number} of ${document.numPages}]\n${text.trim()}`);
    page.cleanup();
  }
  return pages.join('\n\n');
}

async function readDocx(): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  parentPort?.postMessage(READY);
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return value.replace(/\n{3,}/g, '\n\n').trim();
}

try {
  parentPort?.postMessage({ text: await (kind === 'pdf' ? readPdf() : readDocx()) });
} catch (error) {
  // Damaged or encrypted: the reader says so in words of its own.
  parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) });
}
