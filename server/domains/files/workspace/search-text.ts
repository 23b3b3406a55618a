/**
 * Finds literal text in the files of a folder and in their names. Bounded in files, bytes, time and results, and
 * abortable; says so when it did not look everywhere. No patterns: a model's text is taken as it is.
 */
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../lib/clock';
import { SKIPPED_FOLDERS } from './list-entries';
import { detectText, SAMPLE_BYTES } from './text-encoding';
import { isTemporaryName } from './write-text';

export interface SearchOptions {
  /** Most matching lines. */
  limit?: number;
  isCaseSensitive?: boolean;
  signal?: AbortSignal;
}

export interface SearchLimits {
  maxFiles: number;
  maxTotalBytes: number;
  /** Larger files are skipped and counted. */
  maxFileBytes: number;
  maxDurationMs: number;
}

export const defaultSearchLimits: SearchLimits = {
  maxFiles: 10_000,
  maxTotalBytes: 128 * 1024 * 1024,
  maxFileBytes: 8 * 1024 * 1024,
  maxDurationMs: 10_000,
};

export interface LineMatch {
  path: string;
  /** 1-based. */
  line: number;
  /** The line, shortened around the match. */
  text: string;
}

export interface SearchResult {
  matches: LineMatch[];
  /** Files and folders whose name holds the text. */
  names: string[];
  filesSearched: number;
  /** Files left out because they are too large; binary ones are left out silently. */
  filesTooLarge: number;
  /** Why the search ended early, null when it looked everywhere. */
  endedBy: 'results' | 'files' | 'bytes' | 'time' | null;
}

const EXCERPT_CHARS = 240;
const MAX_NAMES = 50;

/** Text in one comparable form: composed, and without case unless asked for. */
const fold = (text: string, isCaseSensitive: boolean): string =>
  isCaseSensitive ? text.normalize('NFC') : text.normalize('NFC').toLowerCase();

/** One search over whatever its caller walks through: the limits hold for all of it together. */
export function createTextSearch(
  query: string,
  clock: Pick<Clock, 'now'>,
  { limit = 100, isCaseSensitive = false, signal }: SearchOptions = {},
  limits: SearchLimits = defaultSearchLimits,
) {
  const needle = fold(query, isCaseSensitive);
  const deadline = clock.now().getTime() + limits.maxDurationMs;
  const result: SearchResult = { matches: [], names: [], filesSearched: 0, filesTooLarge: 0, endedBy: null };
  let totalBytes = 0;

  const collectLines = (text: string, path: string): void => {
    if (!fold(text, isCaseSensitive).includes(needle)) return;
    for (const [index, line] of text.split('\n').entries()) {
      const at = fold(line, isCaseSensitive).indexOf(needle);
      if (at < 0) continue;
      result.matches.push({ path, line: index + 1, text: excerptOf(line, at) });
      if (result.matches.length >= limit) return;
    }
  };

  return {
    signal,
    /** True once a limit is reached; throws the signal's reason. */
    isOver(): boolean {
      signal?.throwIfAborted();
      if (result.matches.length >= limit) result.endedBy = 'results';
      else if (result.filesSearched >= limits.maxFiles) result.endedBy = 'files';
      else if (totalBytes >= limits.maxTotalBytes) result.endedBy = 'bytes';
      else if (clock.now().getTime() > deadline) result.endedBy = 'time';
      return result.endedBy !== null;
    },
    addName(name: string, path: string): void {
      if (result.names.length < MAX_NAMES && fold(name, isCaseSensitive).includes(needle)) result.names.push(path);
    },
    /** Looks through an open file; the caller closes it. */
    async addFile(handle: FileHandle, path: string): Promise<void> {
      const stats = await handle.stat();
      if (!stats.isFile()) return;
      if (stats.size > limits.maxFileBytes) {
        result.filesTooLarge += 1;
        return;
      }
      result.filesSearched += 1;
      const sample = Buffer.alloc(Math.min(SAMPLE_BYTES, stats.size));
      await handle.read(sample, 0, sample.length, 0);
      totalBytes += sample.length;
      const kind = detectText(sample, sample.length >= stats.size);
      if (!kind.isText) return;
      const bytes = sample.length >= stats.size ? sample : await handle.readFile();
      totalBytes += bytes.length - sample.length;
      collectLines(new TextDecoder(kind.encoding).decode(bytes), path);
    },
    result: (): SearchResult => ({
      ...result,
      endedBy: result.endedBy ?? (result.matches.length >= limit ? 'results' : null),
    }),
  };
}

export type TextSearch = ReturnType<typeof createTextSearch>;

/** Walks a folder without following links. `prefix` is how the folder is shown; '' for the root. */
export async function searchFolder(start: { directory: string; prefix: string }, search: TextSearch): Promise<void> {
  const searchFile = async (absolutePath: string, path: string): Promise<void> => {
    const handle = await open(absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await search.addFile(handle, path);
    } finally {
      await handle.close();
    }
  };

  const visit = async (folder: string, shown: string): Promise<void> => {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(folder)) entries.push(entry);
    entries.sort((left, right) => (left.name < right.name ? -1 : 1));
    for (const entry of entries) {
      if (search.isOver()) return;
      if (isTemporaryName(entry.name)) continue;
      const path = shown === '' ? entry.name : `${shown}/${entry.name}`;
      search.addName(entry.name, path);
      try {
        if (entry.isFile()) await searchFile(join(folder, entry.name), path);
        else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) await visit(join(folder, entry.name), path);
      } catch (error) {
        // What vanished or may not be read is no match; a stop is a stop.
        if (search.signal?.aborted === true) throw error;
      }
    }
  };
  await visit(start.directory, start.prefix);
}

/** The part of a line around the match. Folding may move offsets by a few characters, which an excerpt can bear. */
function excerptOf(line: string, at: number): string {
  const text = line.replace(/\r$/, '');
  if (text.length <= EXCERPT_CHARS) return text;
  const from = Math.max(0, Math.min(at - EXCERPT_CHARS / 3, text.length - EXCERPT_CHARS));
  const part = text
    .slice(from, from + EXCERPT_CHARS)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '');
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT_CHARS < text.length ? '…' : ''}`;
}
