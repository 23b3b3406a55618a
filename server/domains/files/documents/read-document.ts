/** The text of PDF and DOCX files, read in a thread of its own: such files are programs of a kind, and may be made to harm. */
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../../lib/errors';
import { runInThread } from '../../../lib/threads';
import { detectContent } from '../detect';
import { type ReadTextOptions, readTextRange, type TextRange, textRange } from '../workspace/read-text';
import type { DocumentKind } from './document-text';

/** Larger documents are scans more often than text. */
const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const SAMPLE_BYTES = 64 * 1024;
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A range of lines of a text file, or of the text of a document. Throws `invalid-input` for other binary content. */
export async function readAnyText(
  handle: FileHandle,
  sizeBytes: number,
  name: string,
  options: ReadTextOptions = {},
): Promise<TextRange> {
  const kind = await documentKind(handle, sizeBytes, name);
  if (kind === null) return readTextRange(handle, sizeBytes, options);
  if (sizeBytes > MAX_DOCUMENT_BYTES) {
    throw new AppError(
      'too-large',
      `this document is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB; it is not read`,
    );
  }
  const text = await readDocument(kind, await handle.readFile(), options.signal);
  return { ...textRange(text, options), sizeBytes, encoding: kind };
}

async function documentKind(handle: FileHandle, sizeBytes: number, name: string): Promise<DocumentKind | null> {
  const sample = Buffer.alloc(Math.min(SAMPLE_BYTES, sizeBytes));
  const { bytesRead } = await handle.read(sample, 0, sample.length, 0);
  const { kind, mimeType } = await detectContent(name, sample.subarray(0, bytesRead), sizeBytes);
  if (kind === 'pdf') return 'pdf';
  return mimeType === DOCX ? 'docx' : null;
}

async function readDocument(kind: DocumentKind, bytes: Buffer, signal?: AbortSignal): Promise<string> {
  const format = kind.toUpperCase();
  const answer = await runInThread<{ text: string } | { problem: string }>({
    source: new URL('./document-worker.ts', import.meta.url),
    bundled: 'document-worker',
    data: { kind, bytes },
    timeoutMs: TIMEOUT_MS,
    memoryMb: 512,
    signal,
    onLimit: () => new AppError('invalid-input', `this ${format} file is too intricate to be turned into text`),
  });
  if ('text' in answer) return answer.text;
  const isLocked = /password|encrypt/i.test(answer.problem);
  throw new AppError(
    'invalid-input',
    isLocked ? `this ${format} file is locked with a password` : `this ${format} file is damaged and cannot be read`,
  );
}
