import type { TurnEnding } from '../stream/items';

/** What stands at the end of a turn that did not come to its own. */
export const endingWords: Readonly<Record<NonNullable<TurnEnding>, string>> = {
  stopped: 'Stopped',
  interrupted: 'Interrupted when the server stopped',
  length: 'The model had no room left and stopped here',
  'content-filter': 'A content filter of the model ended the answer here',
};
