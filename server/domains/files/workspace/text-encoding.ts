/** Is it text, and in which encoding? Pure. Judged by the first bytes of a file or of an answer from the web. */

/** How many bytes are judged. */
export const SAMPLE_BYTES = 64 * 1024;

export type TextKind =
  | { isText: true; encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' }
  | { isText: false };

/**
 * A byte order mark decides; a NUL or many control characters mean binary; valid UTF-8 is UTF-8. What remains is text of
 * an older encoding, read as windows-1252, in which every byte means something.
 * @param isComplete false when the sample was cut, so that its last character may be incomplete.
 */
export function detectText(sample: Uint8Array, isComplete: boolean): TextKind {
  if (sample[0] === 0xff && sample[1] === 0xfe) return { isText: true, encoding: 'utf-16le' };
  if (sample[0] === 0xfe && sample[1] === 0xff) return { isText: true, encoding: 'utf-16be' };
  if (sample.includes(0)) return { isText: false };
  let controls = 0;
  for (const byte of sample) {
    const isUsual = byte >= 32 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 27;
    if (!isUsual) controls += 1;
  }
  if (controls > sample.length / 20) return { isText: false };
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: !isComplete });
    return { isText: true, encoding: 'utf-8' };
  } catch {
    return { isText: true, encoding: 'windows-1252' };
  }
}
