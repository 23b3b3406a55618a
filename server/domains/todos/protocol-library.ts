/** Finds protocols: the built-in ones, and the files in `protocols/` of the owner's workspace, which win over them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError } from '../../lib/errors';
import type { Workspace } from '../files/workspace/workspace';
import { type ParsedProtocol, type ProtocolFile, parseProtocol, protocolIdOf } from './engine/protocol-file';
import type { ProtocolSummary } from './schema';

/** Folder in an owner's workspace. */
export const OWN_PROTOCOLS_FOLDER = 'protocols';
const MAX_FILE_BYTES = 64 * 1024;
const MAX_FILES = 200;

export interface LibraryEntry {
  protocol: ProtocolFile;
  origin: ProtocolSummary['origin'];
}

export interface ProtocolLibrary {
  /** By name, with the files that cannot be used and why. */
  list(userId: string): Promise<{ entries: LibraryEntry[]; problems: { file: string; problem: string }[] }>;
  /** Null when there is none of that id that can be used. */
  find(userId: string, id: string): Promise<LibraryEntry | null>;
}

export function createProtocolLibrary({
  builtInFolder,
  workspace,
}: {
  builtInFolder: string;
  workspace: Workspace;
}): ProtocolLibrary {
  let builtIn: Promise<ProtocolFile[]> | null = null;

  async function readBuiltIn(): Promise<ProtocolFile[]> {
    const names = (await readdir(builtInFolder)).sort();
    const parsed = await Promise.all(
      names.map(async (name) => {
        const id = protocolIdOf(name);
        return id === null ? null : parseProtocol(id, await readFile(join(builtInFolder, name), 'utf8'));
      }),
    );
    return parsed.flatMap((result) => (result?.ok === true ? [result.protocol] : []));
  }

  async function readOwn(userId: string): Promise<{ file: string; result: ParsedProtocol }[]> {
    const folder = workspace.forOwner(userId);
    let paths: string[];
    try {
      const { entries } = await folder.list(OWN_PROTOCOLS_FOLDER, { limit: MAX_FILES });
      paths = entries.filter((entry) => entry.kind === 'file' && entry.path.endsWith('.md')).map((entry) => entry.path);
    } catch (error) {
      if (isAppError(error)) return [];
      throw error;
    }
    return Promise.all(
      paths.map(async (file) => {
        const id = protocolIdOf(file.slice(file.lastIndexOf('/') + 1));
        if (id === null)
          return {
            file,
            result: { ok: false as const, problem: 'its name has other signs than letters, digits, - and _' },
          };
        try {
          const bytes = await folder.readBytes(file, MAX_FILE_BYTES);
          return { file, result: parseProtocol(id, bytes.toString('utf8')) };
        } catch (error) {
          if (isAppError(error)) return { file, result: { ok: false as const, problem: error.message } };
          throw error;
        }
      }),
    );
  }

  const list: ProtocolLibrary['list'] = async (userId) => {
    builtIn ??= readBuiltIn();
    const entries = new Map<string, LibraryEntry>();
    for (const protocol of await builtIn) entries.set(protocol.id, { protocol, origin: 'built-in' });
    const problems: { file: string; problem: string }[] = [];
    for (const { file, result } of await readOwn(userId)) {
      if (result.ok) entries.set(result.protocol.id, { protocol: result.protocol, origin: 'own' });
      else problems.push({ file, problem: result.problem });
    }
    return { entries: [...entries.values()].sort((a, b) => (a.protocol.id < b.protocol.id ? -1 : 1)), problems };
  };

  return {
    list,
    find: async (userId, id) => (await list(userId)).entries.find(({ protocol }) => protocol.id === id) ?? null,
  };
}
