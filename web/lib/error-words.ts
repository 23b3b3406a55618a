/** The words that people read when something failed, chosen from the closed code of the error. Nothing else shows errors. */
import type { AppErrorCode } from '../../server/lib/errors';

const words: Record<AppErrorCode, string> = {
  'invalid-input': 'That could not be accepted as it is.',
  unauthenticated: 'Please sign in again.',
  forbidden: 'You are not allowed to do that.',
  'not-found': 'This no longer exists.',
  conflict: 'It was changed elsewhere in the meantime. Look again and retry.',
  busy: 'An answer is being written. Wait for it or stop it first.',
  'too-large': 'That is too large.',
  'rate-limited': 'The model asks to slow down. Try again in a moment.',
  'provider-unavailable': 'The model cannot be reached.',
  'context-overflow': 'The conversation no longer fits into the model’s window.',
  cancelled: 'That was cancelled.',
  internal: 'Something went wrong on the server.',
};

const isCode = (value: unknown): value is AppErrorCode => typeof value === 'string' && value in words;

/** The code of an error that the server answered; null when no answer came (network, server away). */
export function appCodeOf(error: unknown): AppErrorCode | null {
  const data = (error as { data?: { appCode?: unknown } | null } | null)?.data;
  return isCode(data?.appCode) ? data.appCode : null;
}

/** Whether the server is away or only starting: the same call can work in a moment, nothing about it is wrong. */
export function isAway(error: unknown): boolean {
  const data = (error as { data?: { httpStatus?: unknown; path?: unknown } | null } | null)?.data;
  return appCodeOf(error) === null || data?.httpStatus === 503;
}

/** One sentence for a failed call. The server's own sentence is used where it tells more than the code does. */
export function wordsForError(error: unknown): string {
  const code = appCodeOf(error);
  if (code === null) return 'The server cannot be reached right now.';
  const message = (error as { message?: string }).message ?? '';
  const tellsMore = code === 'invalid-input' || code === 'conflict' || code === 'too-large' || code === 'internal';
  return tellsMore && message !== '' && message.length < 200 ? message : words[code];
}

/** One sentence for the card of a failed answer. */
export function wordsForModelError(error: { code: string; message: string }): string {
  if (error.message !== '') return error.message;
  return isCode(error.code) ? words[error.code] : words.internal;
}
