/**
 * Something that keeps Navi from starting and that the person at the terminal can do something about. The message is one
 * readable line and is all that is printed; the cause is for the debug log only.
 */
export class StartupError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartupError';
  }
}
