/**
 * The one error of Navi. Every way in owns an exhaustive table from `code` to its own status; the words on screen are
 * chosen in `web` from the code. Anything else that is thrown becomes `internal` at the edge and is logged once.
 */
export const appErrorCodes = [
  'invalid-input',
  'unauthenticated',
  'forbidden',
  'not-found',
  'conflict',
  'busy',
  'too-large',
  'rate-limited',
  'provider-unavailable',
  'context-overflow',
  'cancelled',
  'internal',
] as const;

export type AppErrorCode = (typeof appErrorCodes)[number];

export class AppError extends Error {
  readonly code: AppErrorCode;
  /** Facts for the reader or the client: field names, limits, current values. Never secrets, never a stack. */
  readonly details: Record<string, unknown> | undefined;

  constructor(code: AppErrorCode, message: string, options?: { details?: Record<string, unknown>; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options?.details;
  }
}

export function isAppError(error: unknown, code?: AppErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** Marks a branch that the types say cannot be reached, and fails loudly if it is reached all the same. */
export function unreachable(value: never): never {
  throw new AppError('internal', `unexpected value ${JSON.stringify(value)}`);
}
