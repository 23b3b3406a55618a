/** A file as viewers take it: what it is, and how to get at its bytes. Viewers know no sessions and no shares. */
import type { FileRef } from '../../../server/domains/files/schema';

export interface ViewedFile extends FileRef {
  /** Where elements may load the bytes by themselves (images, video). Null where only `load` may: in shares. */
  url: string | null;
  /** A smaller rendition that every browser can show. */
  thumbnailUrl: string | null;
  load(signal?: AbortSignal): Promise<Blob>;
}

/** Why bytes did not come, in words. */
export class FileUnavailable extends Error {}

/** The address of a session file's bytes, and of no other that was given its name later. More of the query may follow. */
export const fileUrl = (sessionId: string, { id, name }: Pick<FileRef, 'id' | 'name'>): string =>
  `/api/sessions/${encodeURIComponent(sessionId)}/files/${encodeURIComponent(name)}?id=${encodeURIComponent(id)}`;

export const thumbnailUrl = (sessionId: string, file: Pick<FileRef, 'id' | 'name'>): string =>
  `${fileUrl(sessionId, file)}&thumbnail=1`;

/** A file of a session that the person owns. */
export function sessionFile(sessionId: string, file: FileRef): ViewedFile {
  const url = fileUrl(sessionId, file);
  return {
    ...file,
    url,
    thumbnailUrl: file.kind === 'image' ? thumbnailUrl(sessionId, file) : null,
    load: async (signal) => {
      const response = await fetch(url, signal === undefined ? {} : { signal }).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw new FileUnavailable('The server cannot be reached right now.');
      });
      if (response.status === 404) throw new FileUnavailable('This file no longer exists.');
      if (!response.ok) throw new FileUnavailable('The server could not give this file.');
      return response.blob();
    },
  };
}
