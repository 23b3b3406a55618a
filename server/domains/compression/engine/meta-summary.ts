/** Earlier summaries are merged into one before they crowd the summariser's input (seed 004, step 2). */
import type { Message } from '../../messages/schema';

/** Characters of earlier summaries from which they are merged first: a third of the summariser's input. */
export const META_SUMMARY_CHARS = 10_600;

/** The summaries to merge first, or null when there is no need: fewer than two, or short ones. */
export function summariesToMerge(toSummarise: readonly Message[]): Message[] | null {
  const summaries = toSummarise.filter((message) => message.isSummary);
  if (summaries.length < 2) return null;
  const chars = summaries.reduce((sum, message) => sum + message.content.length, 0);
  return chars > META_SUMMARY_CHARS ? summaries : null;
}
