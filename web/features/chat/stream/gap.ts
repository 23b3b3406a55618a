/**
 * One place far above the newest messages can be on screen without everything in between. What is missing is read from its
 * upper edge downwards; who comes from below lets go of the place and reads upwards as ever. Pure.
 */
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import type { ChatState } from './state';

type Page = { messages: readonly PagedMessage[]; nextBeforeSeq: number | null };
type Known = Pick<ChatState, 'messages' | 'gap' | 'nextBeforeSeq'>;

/** Whether a message is there, or would be: nothing is missing where it belongs. */
export function isWithinReach({ messages, gap, nextBeforeSeq }: Known, sequenceNumber: number): boolean {
  const first = messages[0]?.sequenceNumber;
  if (first === undefined) return false;
  if (gap !== null && sequenceNumber > gap.afterSeq && sequenceNumber < gap.beforeSeq) return false;
  return sequenceNumber >= first || nextBeforeSeq === null;
}

/** The newest messages alone. */
export function leaveGap(known: Known): Known {
  const { gap } = known;
  if (gap === null) return known;
  const messages = known.messages.filter((message) => message.sequenceNumber >= gap.beforeSeq);
  return { messages, gap: null, nextBeforeSeq: gap.beforeSeq };
}

/** A page around a place: what was above a gap before makes room for it. */
export function addAround(known: Known, page: Page): Known {
  const { messages: tail, nextBeforeSeq } = leaveGap(known);
  const [first, last] = [tail[0]?.sequenceNumber, page.messages.at(-1)?.sequenceNumber];
  if (first === undefined || last === undefined) return known;
  // The beginning of the history is there already.
  if (nextBeforeSeq === null) return known;
  const added = page.messages.filter((message) => message.sequenceNumber < first);
  const gap = last >= first ? null : { afterSeq: last, beforeSeq: first };
  return { messages: [...added, ...tail], gap, nextBeforeSeq: page.nextBeforeSeq };
}

/** The page behind the gap's upper edge; once it reaches the lower one, the gap is closed. */
export function addBetween(known: Known, page: Page): Known {
  const { gap, messages, nextBeforeSeq } = known;
  if (gap === null) return known;
  const added = page.messages.filter(
    ({ sequenceNumber }) => sequenceNumber > gap.afterSeq && sequenceNumber < gap.beforeSeq,
  );
  const last = page.messages.at(-1)?.sequenceNumber;
  const isClosed = last === undefined || last >= gap.beforeSeq;
  const upper = messages.filter((message) => message.sequenceNumber <= gap.afterSeq);
  const lower = messages.filter((message) => message.sequenceNumber >= gap.beforeSeq);
  return {
    messages: [...upper, ...added, ...lower],
    gap: isClosed ? null : { ...gap, afterSeq: last },
    nextBeforeSeq,
  };
}
