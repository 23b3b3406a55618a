/**
 * Pictures made of stored pictures: small ones for lists, and ones that a model's endpoint takes. Made when first asked for
 * and kept beside the file, whose own bytes are never touched.
 */
import { type FileHandle, rename, rm } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../../lib/errors';
import type { SessionDisk } from './disk';
import type { StoredFile } from './store';

/** What an endpoint takes. */
export interface ImageNeeds {
  /** MIME types that it reads as they are. */
  types: readonly string[];
  /** Longest side, in pixels. */
  maxSide: number;
}

/** Longest side of a thumbnail: a card in the transcript at double density. */
const THUMBNAIL_PIXELS = 640;
/** Larger pictures are bombs, or maps: 100 megapixels take 400 MB while they are decoded. */
const MAX_INPUT_PIXELS = 100_000_000;
/** Bytes of one image in a request: 5 MB as base64, which the strictest of the known endpoints take. */
const MAX_SENT_BYTES = 3_700_000;

const gone = () => new AppError('not-found', 'its file is gone');

export function createImageVariants({ disk }: { disk: SessionDisk }) {
  const underWay = new Map<string, Promise<void>>();
  /** One after the other: decoding takes memory and every core, and a run may be streaming. */
  let last: Promise<unknown> = Promise.resolve();

  const load = (file: StoredFile): Sharp =>
    sharp(disk.pathOf(file.sessionId, file.storedAs), { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'none' }).rotate();

  /** The open variant; made first when it is not there. Rejects when it cannot be made. */
  async function open(
    file: StoredFile,
    suffix: string,
    make: (to: string) => Promise<unknown>,
  ): Promise<FileHandle | null> {
    const name = disk.variantName(file.storedAs, suffix);
    const there = await disk.open(file.sessionId, name);
    if (there !== null) return there;
    const key = `${file.sessionId}/${name}`;
    let making = underWay.get(key);
    if (making === undefined) {
      making = last.then(() => write(file, name, make)).finally(() => underWay.delete(key));
      last = making.catch(() => undefined);
      underWay.set(key, making);
    }
    await making;
    return disk.open(file.sessionId, name);
  }

  async function write(file: StoredFile, name: string, make: (to: string) => Promise<unknown>): Promise<void> {
    // The library opens paths by itself, and would follow a link that somebody put in a file's place.
    const source = await disk.open(file.sessionId, file.storedAs);
    if (source === null) throw gone();
    await source.close();
    const temporary = disk.temporaryPathOf(file.sessionId);
    try {
      await make(temporary);
      await rename(temporary, disk.pathOf(file.sessionId, name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async function makeForModel(file: StoredFile, maxSide: number, to: string): Promise<void> {
    const small = load(file).resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true });
    const { hasAlpha } = await sharp(disk.pathOf(file.sessionId, file.storedAs)).metadata();
    if (hasAlpha) {
      const { size } = await small.clone().png().toFile(to);
      if (size <= MAX_SENT_BYTES) return;
    }
    for (const quality of [90, 75, 50]) {
      const { size } = await small.clone().flatten({ background: '#fff' }).jpeg({ quality, mozjpeg: false }).toFile(to);
      if (size <= MAX_SENT_BYTES) return;
    }
    throw new AppError('too-large', 'it stays too large for the model however far it is compressed');
  }

  async function readAll(handle: FileHandle): Promise<Buffer> {
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  }

  return {
    /** The open thumbnail of an image, null when none can be made of it. The caller closes the handle. */
    async openThumbnail(file: StoredFile): Promise<FileHandle | null> {
      if (file.kind !== 'image') return null;
      const make = (to: string) =>
        load(file)
          .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'inside', withoutEnlargement: true })
          .webp({ quality: 78 })
          .toFile(to);
      // Truncated, too large, or of a format that sharp does not read: the picture itself is shown instead.
      return open(file, 'thumb', make).catch(() => null);
    },

    /**
     * An image as the endpoint takes it: its own bytes where those do, else converted or scaled down. Throws AppError with
     * the reason in words when neither is possible.
     */
    async readForModel(file: StoredFile, needs: ImageNeeds): Promise<{ mediaType: string; data: Uint8Array }> {
      const longest = Math.max(file.width ?? 0, file.height ?? 0);
      const isFit = longest > 0 && longest <= needs.maxSide && file.sizeBytes <= MAX_SENT_BYTES;
      if (isFit && needs.types.includes(file.mimeType)) {
        const handle = await disk.open(file.sessionId, file.storedAs);
        if (handle === null) throw gone();
        return { mediaType: file.mimeType, data: await readAll(handle) };
      }
      const handle = await open(file, `model-${needs.maxSide}`, (to) => makeForModel(file, needs.maxSide, to)).catch(
        (error: unknown) => {
          if (error instanceof AppError) throw error;
          const format = file.mimeType.replace(/^image\/(x-)?/, '').toUpperCase();
          const isBomb = error instanceof Error && /pixel limit/i.test(error.message);
          throw new AppError(
            'invalid-input',
            isBomb ? 'it has too many pixels' : `this ${format} picture cannot be converted; save it as PNG or JPEG`,
            { cause: error },
          );
        },
      );
      if (handle === null) throw gone();
      const data = await readAll(handle);
      return { mediaType: data[0] === 0x89 ? 'image/png' : 'image/jpeg', data };
    },
  };
}

export type ImageVariants = ReturnType<typeof createImageVariants>;
