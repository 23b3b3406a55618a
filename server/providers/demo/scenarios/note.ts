import { call, DEMO_NOTE, missingTool, quote, type Scenario, say, think } from '../turn';

const SECTION = 'demo-notes';

/** Writes to the scratchpad, or reads back what it holds. */
export const note: Scenario = {
  name: 'note',
  matches: ({ userText }) => /\b(notes?|noted|remember|scratchpad)\b/i.test(userText),
  play(turn) {
    const result = turn.results.at(-1);
    if (result !== undefined) {
      const lead = result.isError ? 'The scratchpad did not take it' : 'The scratchpad answered';
      return [say(`${lead}:\n\n${quote(result)}${DEMO_NOTE}`)];
    }
    if (!turn.hasTool('scratchpad')) return missingTool('scratchpad');
    if (/\b(what|which|show|list|read|recall)\b/i.test(turn.userText)) {
      return [think('They want to see what was noted. I list the scratchpad.'), call('scratchpad', { action: 'list' })];
    }
    const content = turn.userText.replace(/^.*?\b(note|remember)\b(\s+that)?[\s:,-]*/is, '').trim();
    return [
      think('This is worth keeping. I write it to the scratchpad, where it survives the compression of the context.'),
      call('scratchpad', { action: 'append', section: SECTION, content: content === '' ? turn.userText : content }),
    ];
  },
};
