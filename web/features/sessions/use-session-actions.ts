import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { wordsForError } from '../../lib/error-words';
import { saveFile } from '../../lib/save-file';
import { showFailure, showToast } from '../../lib/toast';
import { useTRPCClient } from '../../lib/trpc';
import { changedSession, withoutSession, withSession } from './session-cache';
import { useSessionsCache } from './use-session-list';

/** The server keeps a removed session for a minute; the offer ends a little earlier than the chance. */
const UNDO_MS = 55_000;

/** What can be done to a session from its menu. Shown at once, put back when the server refuses. */
export function useSessionActions() {
  const client = useTRPCClient();
  const cache = useSessionsCache();
  const [, navigate] = useLocation();
  return useMemo(() => {
    const fail = (error: unknown) => {
      showFailure(wordsForError(error));
      void cache.reload();
    };
    const change = (sessionId: string, changes: { name?: string; pinned?: boolean }) => {
      cache.update((data) => changedSession(data, sessionId, changes));
      cache.updateOne({ id: sessionId, ...changes });
    };
    return {
      async rename(sessionId: string, name: string) {
        change(sessionId, { name });
        await client.sessions.rename.mutate({ sessionId, name }).catch((error) => {
          fail(error);
          void cache.reloadOne(sessionId);
        });
      },
      async setPinned(sessionId: string, pinned: boolean) {
        change(sessionId, { pinned });
        await client.sessions.setPinned.mutate({ sessionId, pinned }).catch(fail);
      },
      async remove(sessionId: string, name: string) {
        const isOpen = location.pathname === `/s/${sessionId}`;
        cache.update((data) => withoutSession(data, sessionId));
        if (isOpen) navigate('/');
        try {
          await client.sessions.remove.mutate({ sessionId });
        } catch (error) {
          return fail(error);
        }
        const restore = async () => {
          try {
            const session = await client.sessions.restore.mutate({ sessionId });
            cache.update((data) => withSession(data, session));
            await cache.reloadOne(sessionId);
            if (isOpen) navigate(`/s/${sessionId}`);
          } catch (error) {
            fail(error);
          }
        };
        showToast(`Deleted “${shorten(name)}”`, {
          duration: UNDO_MS,
          action: { label: 'Undo', onClick: () => void restore() },
        });
      },
      async fork(sessionId: string, sequenceNumber?: number) {
        try {
          const session = await client.sessions.fork.mutate({
            sessionId,
            ...(sequenceNumber === undefined ? {} : { sequenceNumber }),
          });
          navigate(`/s/${session.id}`);
          showToast('This is a copy. The original chat stays as it is.');
        } catch (error) {
          fail(error);
        }
      },
      async exportAs(sessionId: string, format: 'markdown' | 'json') {
        try {
          saveFile(await client.sessions.export.mutate({ sessionId, format }));
        } catch (error) {
          fail(error);
        }
      },
    };
  }, [client, cache, navigate]);
}

export type SessionActions = ReturnType<typeof useSessionActions>;

const shorten = (name: string): string => (name.length > 40 ? `${name.slice(0, 39).trimEnd()}…` : name);
