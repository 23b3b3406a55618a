/** What a compression says of itself, in plain words: on its card, in refusals. */
import { unreachable } from '../../lib/errors';
import type { AttemptFault, FailureReason } from './engine/machine';
import type { StoredCompression } from './store';

/** Everything that may stand in `reason`: the machine's, and what ends a compression from outside. */
export type EndReason = FailureReason | 'fixed-overhead' | 'interrupted' | 'nothing-to-compress';

const reasons: Readonly<Record<EndReason, string>> = {
  empty: 'the model wrote no summary',
  refusal: 'the model refused to write a summary',
  'only-reasoning': 'the model only thought and wrote no summary',
  'tool-markup': 'the model tried to call tools instead of writing a summary',
  'cut-by-length': 'the summary was cut off before its end',
  'not-smaller': 'the summary would have been no smaller than what it replaces',
  'model-failed': 'the model could not be reached or failed',
  'nothing-to-truncate': 'nothing older was left that could be taken out',
  cancelled: 'it was stopped',
  'context-changed': 'the chat changed meanwhile',
  'store-failed': 'it could not be stored',
  'fixed-overhead': 'the instructions and tools alone fill the window',
  interrupted: 'the server stopped',
  'nothing-to-compress': 'there was nothing to compress',
};

const isReason = (reason: string): reason is EndReason => reason in reasons;
const number = (value: number): string => value.toLocaleString('en');

/** Why it failed, as a sentence; null for one that did not. */
export function explain(compression: Pick<StoredCompression, 'status' | 'reason' | 'windowTokens'>): string | null {
  if (compression.status !== 'failed') return null;
  const reason = compression.reason ?? '';
  if (reason === 'fixed-overhead') {
    return `The instructions and tools alone fill the window of ${number(compression.windowTokens)} tokens, so compressing the chat cannot help. Use a larger window or fewer tools.`;
  }
  return `The context was not compressed: ${isReason(reason) ? reasons[reason] : 'something went wrong'}. It is as it was.`;
}

/** The line that stands for the card wherever cards are not shown: exports, other clients. */
export function markerText(compression: StoredCompression): string {
  switch (compression.status) {
    case 'failed':
      return explain(compression) ?? '';
    case 'done': {
      const { messagesBefore, messagesAfter, tokensBefore, tokensAfter, faults } = compression;
      const how = compression.method === 'hard-truncate' ? 'Older messages left the context' : 'Context compressed';
      const why = compression.method === 'hard-truncate' && faults.length > 0 ? ` (${whyTruncated(faults)})` : '';
      return `${how}${why}: ${number(messagesBefore)} → ${number(messagesAfter ?? 0)} messages, ${number(tokensBefore)} → ${number(tokensAfter ?? 0)} tokens. All of them stay in the chat and can be found.`;
    }
    case 'running':
      return 'The context is being compressed.';
    default:
      return unreachable(compression.status);
  }
}

function whyTruncated(faults: readonly string[]): string {
  const last = faults[faults.length - 1] as AttemptFault | undefined;
  return last !== undefined && isReason(last) ? reasons[last] : 'no summary could be written';
}

export const NOTHING_TO_COMPRESS =
  'There is nothing to compress yet: everything in the context is part of the newest exchange.';
export const BUSY = 'An answer is being written in this chat. Stop it first, or wait for its end.';
