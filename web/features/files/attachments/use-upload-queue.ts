import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { FileEntry } from '../../../../server/domains/files/schema';
import { useConnection } from '../../../lib/connection-status';
import { appCodeOf } from '../../../lib/error-words';
import { useTRPC } from '../../../lib/trpc';
import { sendFile } from './send-file';
import { createUploadQueue, type Upload, type UploadQueue } from './upload-queue';

/** Queues by chat, null for the one that does not exist yet. They outlive the composer that is on screen. */
const queues = new Map<string | null, UploadQueue>();

/** Addresses of what was chosen here, by the file that it became: its thumbnail needs no second way over the network. */
const previews = new Map<string, string>();
export const previewOf = (fileId: string): string | undefined => previews.get(fileId);

/** When what is uploaded was chosen, by the file that it became: it keeps its place among those that are on their way. */
const places = new Map<string, number>();
/** What was there before this page was opened stands in front. */
export const placeOf = (fileId: string): number => places.get(fileId) ?? 0;

/** Gives up the pictures of files that are sent or removed, and with them the memory. */
export function forgetPreviews(kept: readonly { id: string }[]): void {
  for (const [id, url] of previews) {
    if (kept.some((file) => file.id === id)) continue;
    URL.revokeObjectURL(url);
    previews.delete(id);
  }
}

interface QueueOptions {
  sessionId: string | null;
  ensureSession(): Promise<string>;
  onLost(): void;
  onAdded(file: FileEntry, isBehind: (other: { id: string }) => boolean): void;
}

/** The uploads of a chat's draft and what can be done with them. */
export function useUploadQueue(options: QueueOptions): { queue: UploadQueue; uploads: readonly Upload[] } {
  const { sessionId, ensureSession, onLost, onAdded } = options;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const connection = useConnection();
  const wiring = useMemo(
    () => ({
      async open() {
        const list = (target: string) =>
          queryClient.ensureQueryData(trpc.files.list.queryOptions({ sessionId: target }));
        const target = await ensureSession();
        try {
          return { sessionId: target, limits: (await list(target)).limits };
        } catch (error) {
          if (appCodeOf(error) !== 'not-found' || sessionId !== null) throw error;
          // The chat that waited for its first message was cleaned up meanwhile.
          onLost();
          const fresh = await ensureSession();
          return { sessionId: fresh, limits: (await list(fresh)).limits };
        }
      },
      onDone(file: FileEntry, from: Upload) {
        // No browser draws TIFF: that one shows what the server makes of it.
        if (file.kind === 'image' && file.mimeType !== 'image/tiff')
          previews.set(file.id, URL.createObjectURL(from.file));
        places.set(file.id, from.key);
        onAdded(file, (other) => placeOf(other.id) > from.key);
        void queryClient.invalidateQueries({ queryKey: trpc.files.list.pathKey() });
      },
    }),
    [trpc, queryClient, sessionId, ensureSession, onLost, onAdded],
  );
  const queue = useMemo(() => {
    const known = queues.get(sessionId) ?? createUploadQueue({ send: sendFile, ...wiring });
    queues.set(sessionId, known);
    known.use(wiring);
    return known;
  }, [sessionId, wiring]);
  useEffect(
    () =>
      connection.onStatus(() => {
        if (connection.status() === 'open') queue.retryAll();
      }),
    [connection, queue],
  );
  return { queue, uploads: useSyncExternalStore(queue.subscribe, queue.items) };
}
