/** What the last row says while a turn is under way. Pure. */
import type { ChatState } from '../stream/state';

/** The reasoning streams into a line of its own, right above, which says so and moves. */
const isThinkingShown = ({ live }: ChatState): boolean =>
  live !== null && live.text === '' && live.thinking.trim() !== '';

/** A call's own row turns, and text that grows is motion enough: a wheel beside them is one too many. */
export const hasMotion = (state: ChatState): boolean =>
  state.approvals.length === 0 &&
  (state.tools.some((tool) => tool.status === null) || isThinkingShown(state) || (state.live?.text ?? '') !== '');

/** What goes on, in a word or two; empty where the row above says it already. */
export function wordsForNow(state: ChatState): string {
  const { live, tools, approvals } = state;
  if (state.runState === 'stopping') return 'Stopping';
  if (approvals.length > 0) return 'Waiting for your answer';
  if (live?.retry) {
    const { reason, attempt } = live.retry;
    // What a person is told to do when all attempts have failed is being done.
    const why = reason.replace(/ Try again( in a moment)?\.$/, '');
    return `${/[.?!]$/.test(why) ? why : `${why}.`} Trying again, attempt ${attempt + 1}`;
  }
  if (tools.some((tool) => tool.status === null)) return 'Working';
  if (live === null) return 'Starting';
  if (live.text !== '') return 'Answering';
  return isThinkingShown(state) ? '' : 'Waiting for the model';
}
