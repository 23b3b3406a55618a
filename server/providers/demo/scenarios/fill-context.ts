import { call, DEMO_NOTE, missingTool, type Scenario, say, think } from '../turn';

/** Notes that one turn writes down, each a step of its own. */
const ROUNDS = 6;
const FACTS: readonly string[] = [
  'The archive of the observatory is kept in room 214, in the grey cabinet; its key is number 1187.',
  'The pump in the greenhouse runs at 3.2 bar; above 4 bar the valve marked K7 has to be opened.',
  'The train to the coast leaves at 06:52 from platform 9, and the ticket office opens at 06:15.',
  'The recipe needs 420 g of flour, 260 ml of water and a night of rest at 8 degrees.',
  'The backup goes to /srv/backup/weekly every Sunday at 03:30 and is kept for 90 days.',
  'The invoice 2024-0317 over $4,310 was paid on 12 March and filed under Harbour Works.',
];
const FILLER =
  'This paragraph is here to take up room, as the results of tools do in real work: lists of files, pages of the web, output of commands. Nobody reads all of it twice, yet now and then a single line of it is what everything depends on.';

/**
 * Fills the context on purpose, step by step, so that compression can be watched: say "fill the context". Each step writes
 * a fact into the notes and talks around it; asking for a fact afterwards shows what recall brings back.
 */
export const fillContext: Scenario = {
  name: 'fill-context',
  matches: ({ userText }) => /\bfill(?:s|ing)? (?:up )?(?:the |my |your )?(?:context|window)\b/i.test(userText),
  play(turn) {
    // Earlier results may have left the context meanwhile; the newest one tells how far it is.
    const written = turn.results.map((result) => Number(/"fact-(\d+)"/.exec(result.text)?.[1] ?? 0));
    const done = Math.max(turn.results.length, ...written);
    if (done === 0 && !turn.hasTool('scratchpad')) return missingTool('scratchpad');
    const fact = FACTS[done % FACTS.length] ?? '';
    if (done >= ROUNDS) {
      return [
        say(
          `I wrote down ${done} facts with a lot of text around them. Ask me about the observatory, the pump or the invoice later: when their words have left the context, memory brings them back.${DEMO_NOTE}`,
        ),
      ];
    }
    const filler = Array.from({ length: 12 }, (_, line) => `${line + 1}. ${FILLER}`).join('\n');
    return [
      ...(done === 0
        ? [think('They want to see the context fill up. Six notes with much text around them will do.')]
        : []),
      say(`Step ${done + 1} of ${ROUNDS}. ${fact}\n\n${filler}\n`),
      call('scratchpad', { action: 'write', section: `fact-${done + 1}`, content: fact }),
    ];
  },
};
