/** The tools that work on the owner's workspace and on the files of the chat: list, read, write, search. */
import * as z from 'zod';
import { systemClock } from '../../../lib/clock';
import type { SessionFolder } from '../../files/session-folder';
import type { FileEntry } from '../../files/workspace/list-entries';
import type { TextRange } from '../../files/workspace/read-text';
import { createTextSearch, type SearchResult, type TextSearch } from '../../files/workspace/search-text';
import type { Workspace } from '../../files/workspace/workspace';
import { sessionFilePath } from '../engine/attachment-notice';
import type { FilePlaces } from './file-places';
import { wholeNumber, yesOrNo } from './parse-arguments';
import { defineTool, type Tool } from './types';

export interface FileToolsDependencies {
  workspace: Workspace;
  sessionFolder: SessionFolder;
  places: FilePlaces;
}

/** Characters of a file in one result; with its head it stays below the limit of the tool. */
const READ_CHARS = 30_000;
const path = z.string().max(4000);
const PLACES = 'Paths are relative to the workspace; session_files/NAME is a file of this chat.';

export function createFileTools(dependencies: FileToolsDependencies): Tool[] {
  return [
    createListTool(dependencies),
    createReadTool(dependencies),
    createWriteTool(dependencies),
    createSearchTool(dependencies),
  ];
}

function createListTool({ workspace, sessionFolder, places }: FileToolsDependencies): Tool {
  const listSession = async (sessionId: string): Promise<string[]> =>
    (await sessionFolder.list(sessionId)).map(({ name, sizeBytes, createdAt }) =>
      describeEntry({ path: sessionFilePath(sessionId, name), kind: 'file', sizeBytes, modifiedAt: createdAt }),
    );
  return defineTool({
    name: 'list_files',
    description: `Lists files and folders with their sizes and dates. ${PLACES}`,
    class: 'read',
    input: z.object({
      path: path.optional().describe('Folder (default: the workspace). session_files lists the files of this chat.'),
      depth: wholeNumber(1, 10).optional().describe('How many levels to show (default 1).'),
    }),
    timeoutMs: 15_000,
    resultLimitChars: 30_000,
    isCompressionCritical: false,
    async run({ path: folder = '.', depth = 1 }, context) {
      const place = await places.locate(folder, context);
      if (place.kind === 'session') {
        const all = await listSession(place.sessionId);
        return {
          text: all.length === 0 ? 'This chat has no files yet.' : all.join('\n'),
          metadata: { path: folder, count: all.length, isTruncated: false },
        };
      }
      const { userId, sessionId, signal } = context;
      const { entries, isTruncated } = await workspace.forOwner(userId).list(place.path, { depth, limit: 400, signal });
      const lines = entries.map(describeEntry);
      if (isTruncated) lines.push('(more exists than is shown; list a folder further down)');
      if (lines.length === 0) lines.push('The folder is empty.');
      const attached = /^\.?\/?$/.test(place.path) ? await listSession(sessionId) : [];
      if (attached.length > 0) lines.push('', 'Files of this chat:', ...attached);
      return { text: lines.join('\n'), metadata: { path: folder, count: entries.length, isTruncated } };
    },
  });
}

function createReadTool({ workspace, sessionFolder, places }: FileToolsDependencies): Tool {
  return defineTool({
    name: 'read_file',
    description: `Reads a text file, or the text of a PDF or DOCX file, whole or a range of lines. Long files come in pieces: read on with from_line. ${PLACES}`,
    class: 'read',
    input: z.object({
      path: path.min(1).describe('File.'),
      from_line: wholeNumber(1, 1_000_000_000).optional().describe('First line, counted from 1 (default 1).'),
      lines: wholeNumber(1, 10_000).optional().describe('Most lines to read (default 1000).'),
    }),
    // A thread for a large document starts slowly on a busy machine.
    timeoutMs: 120_000,
    resultLimitChars: READ_CHARS + 1000,
    isCompressionCritical: true,
    async run({ path: file, from_line = 1, lines = 1000 }, context) {
      const options = { fromLine: from_line, maxLines: lines, maxChars: READ_CHARS, signal: context.signal };
      const place = await places.locate(file, context);
      const range =
        place.kind === 'workspace'
          ? await workspace.forOwner(context.userId).readText(place.path, options)
          : await sessionFolder.readText(place.sessionId, place.name ?? '', options);
      return describeRange(file, range);
    },
  });
}

function createWriteTool({ workspace, sessionFolder, places }: FileToolsDependencies): Tool {
  return defineTool({
    name: 'write_file',
    description: `Writes a text file; folders on the way are created. ${PLACES}`,
    class: 'write',
    input: z.object({
      path: path.min(1).describe('File.'),
      content: z.string().describe('The text.'),
      mode: z
        .enum(['overwrite', 'append', 'create'])
        .optional()
        .describe('overwrite (default) replaces the file, append adds to its end, create refuses when it exists.'),
    }),
    timeoutMs: 30_000,
    resultLimitChars: 2000,
    isCompressionCritical: true,
    async run({ path: wanted, content, mode = 'overwrite' }, context) {
      const place = await places.locate(wanted, context);
      let written: { path: string; sizeBytes: number; isNew: boolean };
      if (place.kind === 'workspace') {
        written = await workspace.forOwner(context.userId).writeText(place.path, content, mode);
      } else {
        const { file, isNew } = await sessionFolder.writeText(place.sessionId, place.name ?? '', content, mode);
        written = { path: sessionFilePath(file.sessionId, file.name), sizeBytes: file.sizeBytes, isNew };
      }
      const verb = written.isNew ? 'Created' : mode === 'append' ? 'Appended to' : 'Replaced';
      return { text: `${verb} ${written.path} (${formatSize(written.sizeBytes)}).`, metadata: { ...written } };
    },
  });
}

function createSearchTool({ workspace, sessionFolder, places }: FileToolsDependencies): Tool {
  return defineTool({
    name: 'search_files',
    description: `Finds a piece of text in files and in their names. The text is taken literally, without patterns. ${PLACES}`,
    class: 'read',
    input: z.object({
      query: z.string().min(1).max(1000).describe('Text to find.'),
      path: path.optional().describe('Folder to search (default: the workspace and the files of this chat).'),
      case_sensitive: yesOrNo().optional().describe('Default: no.'),
      limit: wholeNumber(1, 500).optional().describe('Most matching lines (default 100).'),
    }),
    timeoutMs: 30_000,
    resultLimitChars: 30_000,
    isCompressionCritical: false,
    async run({ query, path: folder, case_sensitive = false, limit = 100 }, context) {
      const { userId, sessionId, signal } = context;
      const options = { isCaseSensitive: case_sensitive, limit, signal };
      const place = await places.locate(folder ?? '.', context);
      const searchSession = (id: string) => (search: TextSearch) =>
        sessionFolder.search(id, search, (name) => sessionFilePath(id, name));
      let result: SearchResult;
      if (place.kind === 'session') {
        const search = createTextSearch(query, systemClock, options);
        await searchSession(place.sessionId)(search);
        result = search.result();
      } else {
        const also = folder === undefined ? { also: searchSession(sessionId) } : {};
        result = await workspace.forOwner(userId).search(query, { path: place.path, ...options, ...also });
      }
      const { matches, names, filesSearched, endedBy } = result;
      return {
        text: describeSearch(result),
        metadata: { query, matches: matches.length, names: names.length, filesSearched, endedBy },
      };
    },
  });
}

function describeRange(file: string, range: TextRange) {
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
