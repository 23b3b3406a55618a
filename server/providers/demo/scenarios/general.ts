import { DEMO_NOTE, type Scenario, say, think } from '../turn';

const MERMAID = [
  '```mermaid',
  'flowchart LR',
  '  person([You]) --> message[Message]',
  '  message --> context{Fits the context?}',
  '  context -- yes --> model[Model]',
  '  context -- no --> compression[Compression] --> model',
  '  model -- calls --> tools[(Tools)] --> model',
  '  model --> answer([Answer])',
  '```',
].join('\n');

/** Draws a diagram when asked for one. */
export const diagram: Scenario = {
  name: 'diagram',
  matches: ({ userText }) => /\b(diagram|mermaid|flowchart|chart|draw)\b/i.test(userText),
  play: () => [
    think('A picture says it best: the way of a message through Navi.'),
    say(
      `## How a message travels\n\n${MERMAID}\n\nEach arrow is something you can watch in the transcript.${DEMO_NOTE}`,
    ),
  ],
};

/** Answers everything else, with a little of all that Markdown can show. */
export const general: Scenario = {
  name: 'general',
  matches: () => true,
  play: (turn) => [
    think('No scenario fits these words. I say what I am, and show how an answer can look.'),
    say(
      [
        '## What you wrote',
        '',
        `> ${excerpt(turn.userText)}`,
        '',
        `This is turn **${turn.turnCount}** of what I see. I cannot really answer it, but this is how an answer looks:`,
        '',
        '1. **Lists** count by themselves,',
        '2. *emphasis* stays quiet, and `code` stands out,',
        '3. ~~mistakes~~ can be crossed out.',
        '',
        '| Part | Kept | Shown |',
        '| --- | :-: | --: |',
        '| Your words | yes | always |',
        '| My thinking | yes | folded |',
        '| What leaves the context | yes | on request |',
        '',
        '```ts',
        'export function greet(name: string): string {',
        '  // Template literals keep it short.',
        `  return \`Hello, \${name}!\`;`,
        '}',
        '```',
        '',
        "Even mathematics: Euler's identity is $e^{i\\pi} + 1 = 0$, and",
        '',
        '$$\\int_0^1 x^2\\,dx = \\tfrac{1}{3}.$$',
        '',
        'Say *hello* for a list of what can be tried.',
      ].join('\n') + DEMO_NOTE,
    ),
  ],
};

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
