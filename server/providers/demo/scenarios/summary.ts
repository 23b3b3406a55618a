import { type Scenario, say } from '../turn';

/** Lines of a summary, and characters of one. */
const MOST_LINES = 14;
const LINE_CHARS = 160;
const MOST_KEYS = 16;

/** Words that a key does not begin or consist of. */
const PLAIN =
  /^(?:The|This|That|There|These|Those|It|I|We|You|They|And|But|So|If|In|On|At|For|To|A|An|Here|User|Assistant|Result|Note)$/;

/**
 * Summarises when it is asked to: what the person said, shortened, what was called, and a line of keys. Deterministic; real
 * models do better, and the card looks the same.
 */
export const summary: Scenario = {
  name: 'summary',
  matches: (turn) => !turn.hasTools && /<conversation>[\s\S]*<\/conversation>/.test(turn.userText),
  play(turn) {
    const text = /<conversation>\n?([\s\S]*?)\n?<\/conversation>/.exec(turn.userText)?.[1] ?? '';
    const entries = text.split(/\n\n(?=(?:User|Assistant|Note|Earlier summary|Result of [^\n:]*): )/);
    const said = entries.filter((entry) => entry.startsWith('User: ')).map((entry) => lineOf(entry.slice(6)));
    const earlier = entries
      .filter((entry) => entry.startsWith('Earlier summary: '))
      .flatMap((entry) =>
        entry
          .split('\n')
          .filter((line) => line.startsWith('- '))
          .map((line) => line.slice(2)),
      );
    const tools = [...new Set(Array.from(text.matchAll(/\[called (\w+)/g), (match) => match[1] ?? ''))];
    const lines = [
      ...earlier.slice(-MOST_LINES / 2),
      ...said.slice(-MOST_LINES).map((line) => `The user asked: ${line}`),
      ...(tools.length === 0 ? [] : [`Tools that were used: ${tools.join(', ')}`]),
    ];
    const body = lines.length === 0 ? ['The user and the demo model exchanged a few words.'] : lines;
    return [say(`${body.map((line) => `- ${line}`).join('\n')}\nKEYS: ${keysOf(text).join(', ')}`)];
  },
};

function lineOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS).trimEnd()}…` : line;
}

/** Names, paths and numbers with a unit, most frequent first. */
function keysOf(text: string): string[] {
  const counts = new Map<string, number>();
  for (const match of text.matchAll(/`([^`\n]{3,40})`|\b[\w.-]+\/[\w./-]+\b|\b\p{Lu}[\p{L}\d]{3,}\b|\$\d[\d.,]*/gu)) {
    const key = (match[1] ?? match[0]).replaceAll(',', '');
    if (!PLAIN.test(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_KEYS)
    .map(([key]) => key);
}
