import { randomBytes, randomUUID } from 'node:crypto';

/** A new random id (UUID v4), as the seeds use for sessions. */
export const newId = (): string => randomUUID();

/** What nobody can guess: 256 random bits in 43 characters that need no escaping anywhere. */
export const newToken = (): string => randomBytes(32).toString('base64url');
