/** Small pictures for lists and chips: made when first asked for, kept beside the file. */
import { type FileHandle, rename, rm } from 'node:fs/promises';
import sharp from 'sharp';
import type { SessionDisk } from './disk';
import type { StoredFile } from './store';

/** Longest side in pixels: a card in the transcript at double density. */
const SIDE_PIXELS = 640;
/** Larger pictures are bombs, or maps for which a thumbnail is no help: 100 megapixels take 400 MB while they are decoded. */
const MAX_INPUT_PIXELS = 100_000_000;

export function createThumbnails({ disk }: { disk: SessionDisk }) {
  const underWay = new Map<string, Promise<void>>();
  /** One after the other: decoding takes memory and every core, and a run may be streaming. */
  let last: Promise<unknown> = Promise.resolve();

  async function make(file: StoredFile): Promise<void> {
    const target = disk.pathOf(file.sessionId, disk.thumbnailName(file.storedAs));
    const temporary = disk.temporaryPathOf(file.sessionId);
    try {
      await sharp(disk.pathOf(file.sessionId, file.storedAs), { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'none' })
        .rotate()
        .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 78 })
        .toFile(temporary);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  return {
    /** The open thumbnail of an image, null when none can be made of it. The caller closes the handle. */
    async open(file: StoredFile): Promise<FileHandle | null> {
      if (file.kind !== 'image') return null;
      const name = disk.thumbnailName(file.storedAs);
      const there = await disk.open(file.sessionId, name);
      if (there !== null) return there;
      const key = `${file.sessionId}/${name}`;
      let making = underWay.get(key);
      if (making === undefined) {
        making = last.then(() => make(file)).finally(() => underWay.delete(key));
        last = making.catch(() => undefined);
        underWay.set(key, making);
      }
      try {
        await making;
      } catch {
        // Truncated, too large, or of a format that sharp does not read: the picture itself is shown instead.
        return null;
      }
      return disk.open(file.sessionId, name);
    },
  };
}

export type Thumbnails = ReturnType<typeof createThumbnails>;
