/** Files as messages carry them, read with care: metadata is JSON that passed through other hands. Pure. */
import type { Artifact, FileKind, FileRef } from '../../../server/domains/files/schema';
import type { PagedMessage } from '../../../server/domains/messages/schema';
import { guessKind, kinds } from './kinds';

const isKind = (value: unknown): value is FileKind => typeof value === 'string' && Object.hasOwn(kinds, value);

/** Null for what is no file. Without a kind it is guessed by the name. */
export function readFileRef(value: unknown): FileRef | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, mimeType, sizeBytes, kind } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  return {
    id,
    name,
    kind: isKind(kind) ? kind : guessKind(name),
    mimeType: typeof mimeType === 'string' ? mimeType : '',
    sizeBytes: typeof sizeBytes === 'number' ? sizeBytes : 0,
  };
}

const isRef = (file: FileRef | null): file is FileRef => file !== null;

/** What was sent with a message: images apart from other files. */
export function filesOf(message: Pick<PagedMessage, 'files' | 'images'>): { images: FileRef[]; files: FileRef[] } {
  return {
    images: (message.images ?? []).map((image) => readFileRef({ ...image, kind: 'image' })).filter(isRef),
    files: (message.files ?? []).map(readFileRef).filter(isRef),
  };
}

/** What a tool message published or shared; null for most. */
export function artifactOf(message: Pick<PagedMessage, 'metadata'>): Artifact | null {
  const value = message.metadata.artifact;
  const file = readFileRef(value);
  if (file === null) return null;
  const { mode, title } = value as Record<string, unknown>;
  return {
    ...file,
    mode: mode === 'shared' ? 'shared' : 'published',
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
  };
}
