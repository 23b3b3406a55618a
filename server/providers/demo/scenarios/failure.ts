import { ModelCallError } from '../../types';
import { type Scenario, say } from '../turn';

/** Shows what a failing model looks like; with "halfway" or "middle" it fails after the first words. */
export const failure: Scenario = {
  name: 'failure',
  // Of messages that were never answered (by this very failure, say), only the newest counts: they come as one.
  matches: ({ userText }) => /\b(fail|fails|failure|error)\b/i.test(userText.slice(userText.lastIndexOf('\n\n') + 1)),
  play({ userText }) {
    const error = new ModelCallError(
      'provider-unavailable',
      'The demo model failed on purpose, because your message asked for it. Ask for something else, or retry to see it fail again.',
      { details: 'Simulated by the built-in demo model.' },
    );
    const isHalfway = /\b(halfway|middle|partial)\b/i.test(userText);
    return [
      ...(isHalfway
        ? [say('This answer begins well. Its first words arrive as they should, and then, in the middle of a ')]
        : []),
      { kind: 'fail', error },
    ];
  },
};
