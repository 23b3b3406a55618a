import { storable } from '../../../lib/text';
import type { Message } from '../../messages/schema';

/** Longest id that is kept as the model wrote it, in characters. */
const ID_LIMIT = 100;

/**
 * The id under which a call is known in its session. Approvals, results and cards hang on it, and some models count from 0
 * in every answer: an id that was used before gets a suffix, so that an earlier yes never answers for a later call. `mark`
 * tells the step apart where not every earlier id is known any more: after a compression.
 */
export function uniqueCallId(given: string, taken: ReadonlySet<string>, mark = ''): string {
  const base = (storable(given).slice(0, ID_LIMIT).toWellFormed() || 'call') + mark;
  if (!taken.has(base)) return base;
  let count = 2;
  while (taken.has(`${base}-${count}`)) count += 1;
  return `${base}-${count}`;
}

/** Every call id of a history. */
export function callIdsOf(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id)));
}
