import { call, DEMO_NOTE, missingTool, quote, type Scenario, say, think } from '../turn';

/** Asks the clock. */
export const time: Scenario = {
  name: 'time',
  matches: ({ userText }) => /\b(time|date|clock|today)\b/i.test(userText),
  play(turn) {
    const result = turn.results.at(-1);
    if (result !== undefined) {
      return result.isError
        ? [say(`The clock could not be read:\n\n${quote(result)}${DEMO_NOTE}`)]
        : [say(`The tool \`current_time\` says:\n\n${quote(result)}${DEMO_NOTE}`)];
    }
    if (!turn.hasTool('current_time')) return missingTool('current_time');
    return [
      think('The person asks for the time. I do not know it by myself, but there is a tool for it.'),
      call('current_time'),
    ];
  },
};
