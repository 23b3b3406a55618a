import type { Message } from '../schema';

/** What one compression took out of the context, and what it put there. */
export interface CompressionRecord {
  /** Sequence number of the summary; it and the marker are written in one transaction. */
  summarySequence: number;
  /** Exactly the messages it covered: important turns between them may have stayed. */
  coveredSequences: ReadonlySet<number>;
  isUndone: boolean;
}

/**
 * What the context is, or was, right after the message with `sequence`: every message that was written for the context up
 * to there, less what compressions up to there had covered. The rule that undo, fork, edit and regenerate keep the flags of
 * the rows to: for reading, the rows' `isContext` is its result (decision 0003), and tests compare the two.
 * Messages of replaced branches are left out. Order: summaries first, then the rest, each by sequence (product §2).
 */
export function contextAt(
  messages: readonly Message[],
  sequence: number,
  compressions: readonly CompressionRecord[] = [],
): Message[] {
  const inForce = compressions.filter((compression) => !compression.isUndone);
  const then = inForce.filter((compression) => compression.summarySequence <= sequence);
  const later = inForce.filter((compression) => compression.summarySequence > sequence);
  const context = messages.filter((message) => {
    if (message.sequenceNumber > sequence || message.supersededBy !== null) return false;
    if (then.some((compression) => compression.coveredSequences.has(message.sequenceNumber))) return false;
    // What a later compression demoted was in the context then.
    return message.isContext || later.some((compression) => compression.coveredSequences.has(message.sequenceNumber));
  });
  return inContextOrder(context);
}

/** Summaries first, then the rest, each by sequence. */
export function inContextOrder(messages: readonly Message[]): Message[] {
  return [...messages].sort((a, b) => Number(b.isSummary) - Number(a.isSummary) || a.sequenceNumber - b.sequenceNumber);
}
