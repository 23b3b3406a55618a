/** Reads a range of lines of a text file, streaming, so that a log of gigabytes costs no more than its part. */
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../../lib/errors';
import { detectText, SAMPLE_BYTES } from './text-encoding';

export interface ReadTextOptions {
  /** 1-based. */
  fromLine?: number;
  maxLines?: number;
  /** Most characters of text; a line that does not fit ends the reading (a single longer one is cut). */
  maxChars?: number;
  signal?: AbortSignal;
}

export interface TextRange {
  text: string;
  /** 1-based numbers of the first and last line in `text`; `toLine` is `fromLine - 1` when there is none. */
  fromLine: number;
  toLine: number;
  /** Null when the file was too large to count. */
  totalLines: number | null;
  /** Where to read on, null at the end. */
  nextLine: number | null;
  /** The last line of `text` was longer than `maxChars` and is cut. */
  isLineCut: boolean;
  sizeBytes: number;
  encoding: string;
}

const CHUNK_BYTES = 256 * 1024;
/** Beyond this size lines are not counted to the end. */
const COUNT_LIMIT_BYTES = 32 * 1024 * 1024;

/** Throws `invalid-input` for binary content. Line ends may be `\n` or `\r\n`; they come out as `\n`. */
export async function readTextRange(
  handle: FileHandle,
  sizeBytes: number,
  { fromLine = 1, maxLines = 2000, maxChars = 100_000, signal }: ReadTextOptions = {},
): Promise<TextRange> {
  const sample = Buffer.alloc(Math.min(SAMPLE_BYTES, sizeBytes));
  const { bytesRead } = await handle.read(sample, 0, sample.length, 0);
  const kind = detectText(sample.subarray(0, bytesRead), bytesRead >= sizeBytes);
  if (!kind.isText) throw new AppError('invalid-input', `this is not a text file (${sizeBytes} bytes of binary data)`);

  const collector = createLineCollector(fromLine, maxLines, maxChars);
  const decoder = new TextDecoder(kind.encoding);
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let position = 0;
  for (;;) {
    signal?.throwIfAborted();
    const read = (await handle.read(buffer, 0, CHUNK_BYTES, position)).bytesRead;
    position += read;
    const isEnd = read === 0;
    collector.add(decoder.decode(buffer.subarray(0, read), { stream: !isEnd }));
    if (isEnd) break;
    if (collector.isFull() && sizeBytes > COUNT_LIMIT_BYTES) break;
  }
  const isCounted = !(collector.isFull() && sizeBytes > COUNT_LIMIT_BYTES);
  return { ...collector.end(isCounted), sizeBytes, encoding: kind.encoding };
}

/** The same range of a text that is already in memory. */
export function textRange(
  text: string,
  { fromLine = 1, maxLines = 2000, maxChars = 100_000 }: ReadTextOptions = {},
): Omit<TextRange, 'sizeBytes' | 'encoding'> {
  const collector = createLineCollector(fromLine, maxLines, maxChars);
  collector.add(text);
  return collector.end(true);
}

function createLineCollector(fromLine: number, maxLines: number, maxChars: number) {
  const lines: string[] = [];
  let rest = '';
  let line = 1;
  let chars = 0;
  let isFull = false;
  let isLineCut = false;

  const take = (raw: string) => {
    const number = line;
    line += 1;
    if (number < fromLine || isFull) return;
    if (lines.length >= maxLines) {
      isFull = true;
      return;
    }
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (chars + text.length > maxChars) {
      isFull = true;
      if (lines.length > 0) return;
      isLineCut = true;
      lines.push(text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, ''));
      return;
    }
    lines.push(text);
    chars += text.length + 1;
  };

  return {
    isFull: () => isFull,
    add(text: string) {
      const parts = text.split('\n');
      const last = parts.pop() ?? '';
      for (const part of parts) {
        take(rest + part);
        rest = '';
      }
      // A file without line ends must not be held in memory whole: what exceeds the limit is cut anyway.
      if (rest.length <= maxChars) rest += last;
    },
    end(isCounted: boolean) {
      // The end of the last line starts no further one; an empty file has no line.
      if (rest !== '' && isCounted) take(rest);
      const total = line - 1;
      const toLine = fromLine + lines.length - 1;
      return {
        text: lines.join('\n'),
        fromLine,
        toLine,
        totalLines: isCounted ? total : null,
        nextLine: isFull || (isCounted && toLine < total && lines.length > 0) ? toLine + 1 : null,
        isLineCut,
      };
    },
  };
}
