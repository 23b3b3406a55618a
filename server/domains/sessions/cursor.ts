import * as z from 'zod';
import { AppError } from '../../lib/errors';
import { idSchema } from '../../lib/input-schemas';
import type { ListCursor } from './store';

const cursorSchema = z.tuple([z.boolean(), z.iso.datetime(), idSchema()]);

/** An opaque text for clients: where the list goes on. */
export function encodeCursor({ pinned, lastActive, id }: ListCursor): string {
  return Buffer.from(JSON.stringify([pinned, lastActive, id])).toString('base64url');
}

/** Throws invalid-input for a text that `encodeCursor` did not make. */
export function decodeCursor(text: string): ListCursor {
  try {
    const [pinned, lastActive, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { pinned, lastActive, id };
  } catch {
    throw new AppError('invalid-input', 'cursor: not one that the list gave out');
  }
}
