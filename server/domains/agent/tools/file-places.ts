/** Where a path of the file tools leads: into the owner's workspace, or to the files of this chat (`session_files/…`). */
import { storable } from '../../../lib/text';
import type { SessionService } from '../../sessions/service';
import type { ToolContext } from './types';
import { ToolError } from './types';

export type FilePlace =
  | { kind: 'workspace'; path: string }
  /** `name` is null for the folder itself. */
  | { kind: 'session'; sessionId: string; name: string | null };

/** The folder that the file tools show the files of a chat in. */
export const SESSION_FILES = 'session_files';

export function createFilePlaces(sessions: Pick<SessionService, 'findAny'>) {
  async function isAtOrAbove(sessionId: string, wanted: string): Promise<boolean> {
    for (let id: string | null = sessionId; id !== null; ) {
      if (id === wanted) return true;
      id = (await sessions.findAny(id))?.parentId ?? null;
    }
    return false;
  }

  /** A subagent works for its parent and reads what was given to it; the parent reads what its subagents left behind. */
  async function isOfOneTask(sessionId: string, wanted: string): Promise<boolean> {
    // A model wrote it: the database cannot be asked for every text.
    if (storable(wanted) !== wanted) return false;
    return (await isAtOrAbove(sessionId, wanted)) || (await isAtOrAbove(wanted, sessionId));
  }

  return {
    /**
     * `session_files/<chat>/<name>` as the notices write it, or `session_files/<name>` for short. Throws ToolError for another
     * chat. Everything else is a path of the workspace, checked there.
     */
    async locate(path: string, { sessionId }: Pick<ToolContext, 'sessionId'>): Promise<FilePlace> {
      const parts = path
        .replaceAll('\\', '/')
        .replace(/^(?:\.\/)+/, '')
        .split('/');
      if (parts[0] !== SESSION_FILES) return { kind: 'workspace', path };
      const [first, second, ...rest] = parts.slice(1).filter((part) => part !== '' && part !== '.');
      if (first === undefined || first === sessionId) {
        if (rest.length > 0) throw new ToolError('The files of a chat lie in one folder, without folders inside.');
        return { kind: 'session', sessionId, name: second ?? null };
      }
      if (!(await isOfOneTask(sessionId, first))) {
        if (second === undefined) return { kind: 'session', sessionId, name: first };
        throw new ToolError(`${SESSION_FILES}/${first} belongs to another chat.`);
      }
      if (rest.length > 0) throw new ToolError('The files of a chat lie in one folder, without folders inside.');
      return { kind: 'session', sessionId: first, name: second ?? null };
    },
  };
}

export type FilePlaces = ReturnType<typeof createFilePlaces>;
