import type { SharedFile } from '../../../server/domains/shares/schema';
import { FileUnavailable, type ViewedFile } from '../../features/files/viewed-file';
import { GoneError, type ShareClient } from '../share-client';

/** A file as viewers take it, its bytes by the share's token. Null where the share gives no bytes. */
export function sharedFile(client: ShareClient, file: SharedFile): ViewedFile | null {
  const { id, name, kind, mimeType, sizeBytes } = file;
  if (id === null) return null;
  // No browser draws TIFF: what is shown, and saved, is the server's rendition of it.
  const isRendition = mimeType === 'image/tiff';
  return {
    id,
    name: isRendition ? name.replace(/(?:\.tiff?)?$/i, '.webp') : name,
    kind,
    mimeType,
    sizeBytes,
    url: null,
    thumbnailUrl: null,
    load: (signal) =>
      client[isRendition ? 'thumbnail' : 'file'](id, signal).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw new FileUnavailable(
          error instanceof GoneError ? 'This file no longer exists.' : 'The file could not be loaded right now.',
        );
      }),
  };
}
