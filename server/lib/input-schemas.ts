/** Pieces of inputs that every domain takes alike. */
import * as z from 'zod';
import { storable } from './text';

/** An id, or another short text that is compared and never shown. PostgreSQL holds no NUL, so one that has it names nothing. */
export const idSchema = (maxChars = 100) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine((id) => !id.includes('\u0000'), 'must not contain NUL');

/** A sequence or revision number, or a place in a list: never more than its column holds. */
export const ordinalSchema = z.int().min(0).max(2_000_000_000);

/** Whether something is left of a text once it is stored. */
export const hasText = (text: string): boolean => storable(text).trim() !== '';
