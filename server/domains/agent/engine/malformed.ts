/**
 * A tool call whose arguments were no JSON is stored with what the model wrote, under one key that no tool has: so it is
 * shown, sent back, and answered with a failed result that the model can mend.
 */
const MALFORMED_KEY = '__malformed';

export const wrapMalformed = (raw: string): Record<string, string> => ({ [MALFORMED_KEY]: raw });

/** What the model wrote, or null when the arguments were JSON. */
export function malformedOf(args: unknown): string | null {
  if (args === null || typeof args !== 'object' || !(MALFORMED_KEY in args)) return null;
  return String(args[MALFORMED_KEY]);
}
