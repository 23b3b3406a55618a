import { call, DEMO_NOTE, missingTool, quote, type Scenario, say, think } from '../turn';

/** Fetches the address in the message. */
export const fetchPage: Scenario = {
  name: 'fetch-page',
  matches: ({ userText }) => /\bfetch\b|\bhttps?:\/\//i.test(userText),
  play(turn) {
    const result = turn.results.at(-1);
    if (result !== undefined) {
      const lead = result.isError ? 'The page could not be fetched' : 'The page says';
      return [say(`${lead}:\n\n${quote(result, 800)}${DEMO_NOTE}`)];
    }
    if (!turn.hasTool('web_fetch')) return missingTool('web_fetch');
    const url = /https?:\/\/[^\s<>"'`)]+/i.exec(turn.userText)?.[0].replace(/[.,;!?]+$/, '') ?? 'https://example.com/';
    return [think(`I fetch ${url} and look at what it says.`), call('web_fetch', { url })];
  },
};
