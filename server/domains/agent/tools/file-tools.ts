/** The tools that work on the owner's workspace: `list_files`, `read_file`, `write_file`, `search_files`. */
import * as z from 'zod';
import type { FileEntry } from '../../files/workspace/list-entries';
import type { SearchResult } from '../../files/workspace/search-text';
import type { Workspace } from '../../files/workspace/workspace';
import { wholeNumber, yesOrNo } from './parse-arguments';
import { defineTool, type Tool } from './types';

/** Characters of a file in one result; with its head it stays below the limit of the tool. */
const READ_CHARS = 30_000;
const path = z.string().max(4000);

export function createFileTools({ workspace }: { workspace: Workspace }): Tool[] {
  return [
    createListTool(workspace),
    createReadTool(workspace),
    createWriteTool(workspace),
    createSearchTool(workspace),
  ];
}

function createListTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'list_files',
    description: 'Lists files and folders of the workspace with their sizes and dates.',
    class: 'read',
    input: z.object({
      path: path.optional().describe('Folder, relative to the workspace (default: the workspace itself).'),
      depth: wholeNumber(1, 10).optional().describe('How many levels to show (default 1).'),
    }),
    timeoutMs: 15_000,
    resultLimitChars: 30_000,
    isCompressionCritical: false,
    async run({ path: folder = '.', depth = 1 }, { userId, signal }) {
      const { entries, isTruncated } = await workspace.forOwner(userId).list(folder, { depth, limit: 400, signal });
      const lines = entries.map(describeEntry);
      if (isTruncated) lines.push('(more exists than is shown; list a folder further down)');
      return {
        text: lines.length === 0 ? 'The folder is empty.' : lines.join('\n'),
        metadata: { path: folder, count: entries.length, isTruncated },
      };
    },
  });
}

function createReadTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the workspace, whole or a range of lines. Long files come in pieces: read on with from_line.',
    class: 'read',
    input: z.object({
      path: path.min(1).describe('File, relative to the workspace.'),
      from_line: wholeNumber(1, 1_000_000_000).optional().describe('First line, counted from 1 (default 1).'),
      lines: wholeNumber(1, 10_000).optional().describe('Most lines to read (default 1000).'),
    }),
    timeoutMs: 30_000,
    resultLimitChars: READ_CHARS + 1000,
    isCompressionCritical: true,
    async run({ path: file, from_line = 1, lines = 1000 }, { userId, signal }) {
      const range = await workspace
        .forOwner(userId)
        .readText(file, { fromLine: from_line, maxLines: lines, maxChars: READ_CHARS, signal });
      const metadata = {
        path: file,
        fromLine: range.fromLine,
        toLine: range.toLine,
        totalLines: range.totalLines,
        sizeBytes: range.sizeBytes,
        encoding: range.encoding,
      };
      if (range.totalLines === 0) return { text: `${file} is empty.`, metadata };
      if (range.toLine < range.fromLine) return { text: `${file} has only ${range.totalLines} lines.`, metadata };
      const of = range.totalLines === null ? `a file of ${formatSize(range.sizeBytes)}` : `${range.totalLines}`;
      const head = `${file}, lines ${range.fromLine} to ${range.toLine} of ${of}`;
      const notes = [
        range.isLineCut ? 'the line is longer than what is shown' : null,
        range.encoding === 'utf-8' ? null : `read as ${range.encoding}`,
        range.nextLine === null ? null : `read on with from_line ${range.nextLine}`,
      ].filter((note) => note !== null);
      return { text: `${[head, ...notes].join('; ')}\n\n${range.text}`, metadata };
    },
  });
}

function createWriteTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'write_file',
    description: 'Writes a text file of the workspace; folders on the way are created.',
    class: 'write',
    input: z.object({
      path: path.min(1).describe('File, relative to the workspace.'),
      content: z.string().describe('The text.'),
      mode: z
        .enum(['overwrite', 'append', 'create'])
        .optional()
        .describe('overwrite (default) replaces the file, append adds to its end, create refuses when it exists.'),
    }),
    timeoutMs: 30_000,
    resultLimitChars: 2000,
    isCompressionCritical: true,
    async run({ path: file, content, mode = 'overwrite' }, { userId }) {
      const written = await workspace.forOwner(userId).writeText(file, content, mode);
      const verb = written.isNew ? 'Created' : mode === 'append' ? 'Appended to' : 'Replaced';
      return { text: `${verb} ${written.path} (${formatSize(written.sizeBytes)}).`, metadata: { ...written } };
    },
  });
}

function createSearchTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Finds a piece of text in the files of the workspace and in their names. The text is taken literally, without patterns.',
    class: 'read',
    input: z.object({
      query: z.string().min(1).max(1000).describe('Text to find.'),
      path: path.optional().describe('Folder to search (default: the whole workspace).'),
      case_sensitive: yesOrNo().optional().describe('Default: no.'),
      limit: wholeNumber(1, 500).optional().describe('Most matching lines (default 100).'),
    }),
    timeoutMs: 30_000,
    resultLimitChars: 30_000,
    isCompressionCritical: false,
    async run({ query, path: folder = '.', case_sensitive = false, limit = 100 }, { userId, signal }) {
      const result = await workspace
        .forOwner(userId)
        .search(query, { path: folder, isCaseSensitive: case_sensitive, limit, signal });
      const { matches, names, filesSearched, endedBy } = result;
      return {
        text: describeSearch(result),
        metadata: { query, matches: matches.length, names: names.length, filesSearched, endedBy },
      };
    },
  });
}

function describeEntry({ path: entryPath, kind, sizeBytes, modifiedAt }: FileEntry): string {
  const date = modifiedAt.toISOString().slice(0, 16).replace('T', ' ');
  if (kind === 'folder') return `${entryPath}/`;
  if (kind === 'link') return `${entryPath} (link)`;
  return `${entryPath} (${formatSize(sizeBytes ?? 0)}, ${date} UTC)`;
}

function describeSearch({ matches, names, filesSearched, filesTooLarge, endedBy }: SearchResult): string {
  const lines: string[] = [];
  if (names.length > 0) lines.push('In names:', ...names.map((name) => `- ${name}`), '');
  if (matches.length > 0) lines.push(...matches.map((match) => `${match.path}:${match.line}: ${match.text}`));
  else lines.push(`No line holds this text (${filesSearched} files searched).`);
  if (filesTooLarge > 0) lines.push(`${filesTooLarge} large files were left out.`);
  if (endedBy !== null)
    lines.push(`The search ended early (limit of ${endedBy}); search a folder further down for the rest.`);
  return lines.join('\n');
}

/** Bytes in words: `812 bytes`, `14.2 kB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  do {
    value /= 1000;
    unit += 1;
  } while (value >= 999.95 && unit < units.length - 1);
  return `${value.toFixed(1)} ${units[unit]}`;
}
