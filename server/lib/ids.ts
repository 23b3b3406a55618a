import { randomUUID } from 'node:crypto';

/** A new random id (UUID v4), as the seeds use for sessions. */
export const newId = (): string => randomUUID();
