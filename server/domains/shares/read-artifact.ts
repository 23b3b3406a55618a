/** What of a published file is text, for the search for secrets: its link gives the bytes away, not only its name. */
import type { FileHandle } from 'node:fs/promises';
import type { FileRef } from '../files/schema';
import { detectText } from '../files/workspace/text-encoding';

/** The beginning that is read of each file. A person waits, and others wait while it is searched: 1 MB takes 25 to 75 ms. */
const MAX_READ_BYTES = 1024 * 1024;

/** `isWhole` is false for what is no text (its text is '' then), or goes on behind the beginning. Closes the handle. */
export async function readArtifact({
  file,
  handle,
}: {
  file: Pick<FileRef, 'kind' | 'sizeBytes'>;
  handle: FileHandle;
}): Promise<{ text: string; isWhole: boolean }> {
  try {
    const buffer = Buffer.alloc(Math.min(MAX_READ_BYTES, file.sizeBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const isWhole = bytesRead === file.sizeBytes;
    const found = detectText(bytes, isWhole);
    // Some PDFs are made of text; what they say is compressed all the same.
    if (!found.isText || file.kind === 'pdf') return { text: '', isWhole: false };
    return { text: new TextDecoder(found.encoding).decode(bytes), isWhole };
  } finally {
    await handle.close();
  }
}
