import type { ResolvedModel } from '../../providers/types';
import type { SentImage } from '../compression/summarise';
import type { FileService } from '../files/service';
import type { ImageVariants } from '../files/variants';
import type { Attachment } from '../messages/schema';

/** Longest side that endpoints take, in pixels; with more than `CROWD` images in a request the strictest take less (cases H05). */
export const MAX_SIDE = 8000;
export const CROWD = 20;
export const MAX_SIDE_IN_CROWD = 2000;

/** Bytes of images for the summariser. One that cannot be read is left out: its note stands in the text. */
export const createReadImages =
  (dependencies: {
    files: Pick<FileService, 'findMany'>;
    images: Pick<ImageVariants, 'readForModel'>;
    onUnreadable(problem: { sessionId: string; fileId: string; error: unknown }): void;
  }) =>
  async (sessionId: string, model: ResolvedModel, wanted: readonly Attachment[]): Promise<SentImage[]> => {
    const { files, images, onUnreadable } = dependencies;
    const found = new Map(
      (await files.findMany(sessionId, [...new Set(wanted.map(({ id }) => id))])).map((file) => [file.id, file]),
    );
    const maxSide = wanted.length > CROWD ? MAX_SIDE_IN_CROWD : MAX_SIDE;
    const read: SentImage[] = [];
    for (const { id } of wanted) {
      const file = found.get(id);
      if (file === undefined) continue;
      try {
        read.push(await images.readForModel(file, { types: model.imageTypes, maxSide }));
      } catch (error) {
        onUnreadable({ sessionId, fileId: id, error });
      }
    }
    return read;
  };
