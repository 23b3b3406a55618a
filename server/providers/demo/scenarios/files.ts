import { call, DEMO_NOTE, type DemoTurn, missingTool, quote, type Scenario, say, think } from '../turn';

const DEMO_FILE = 'demo/hello.md';

/** A path with an extension that the person wrote, if any. */
const pathIn = (text: string): string | null =>
  /(?:^|[\s`"'(])((?:[\w.-]+\/)*[\w-]+\.\w{1,8})(?=$|[\s`"'),.?!])/.exec(text)?.[1] ?? null;

function told(turn: DemoTurn, lead: string) {
  const result = turn.results.at(-1);
  return [say(`${result?.isError ? 'That did not work' : lead}:\n\n${quote(result, 1200)}${DEMO_NOTE}`)];
}

/** Lists the workspace. */
export const listFiles: Scenario = {
  name: 'list-files',
  matches: ({ userText }) => /\b(files?|list|folder|directory|workspace)\b/i.test(userText),
  play(turn) {
    if (turn.results.length > 0) return told(turn, 'The workspace holds');
    if (!turn.hasTool('list_files')) return missingTool('list_files');
    return [think('I look at what is in the workspace.'), call('list_files')];
  },
};

/** Reads the file that was named; without a name it looks for one first. */
export const readFile: Scenario = {
  name: 'read-file',
  matches: ({ userText }) => /\b(read|open)\b/i.test(userText),
  play(turn) {
    const last = turn.results.at(-1);
    const named = pathIn(turn.userText);
    if (last?.tool === 'read_file' || last?.isError) return told(turn, 'I read it');
    if (!turn.hasTool('read_file')) return missingTool('read_file');
    if (named !== null) return [think(`They name the file ${named}.`), call('read_file', { path: named })];
    if (last?.tool !== 'list_files' && turn.hasTool('list_files')) {
      return [think('No file is named. I see what there is first.'), call('list_files')];
    }
    const found = last === undefined ? null : pathIn(last.text);
    if (found === null) return [say(`There is no file to read yet. Ask me to write one.${DEMO_NOTE}`)];
    return [say('I take the first one.\n\n'), call('read_file', { path: found })];
  },
};

/** Writes a small file. */
export const writeFile: Scenario = {
  name: 'write-file',
  matches: ({ userText }) => /\b(write|create|save)\b/i.test(userText),
  play(turn) {
    if (turn.results.length > 0) return told(turn, 'The file is written');
    if (!turn.hasTool('write_file')) return missingTool('write_file');
    const path = pathIn(turn.userText) ?? DEMO_FILE;
    const content = `# Hello\n\nWritten by the demo model, because you asked:\n\n> ${turn.userText.replace(/\n/g, '\n> ')}\n`;
    return [think(`A small file will do. I write it to ${path}.`), call('write_file', { path, content })];
  },
};

/** Searches the workspace for the quoted words, or for what follows "search for". */
export const searchFiles: Scenario = {
  name: 'search-files',
  matches: ({ userText }) => /\b(search|find|grep)\b/i.test(userText),
  play(turn) {
    if (turn.results.length > 0) return told(turn, 'The search found');
    if (!turn.hasTool('search_files')) return missingTool('search_files');
    const quoted = /["'`“]([^"'`”]+)["'`”]/.exec(turn.userText)?.[1];
    const after = /\b(?:search|find|grep)\b(?:\s+(?:the\s+)?files?)?(?:\s+for)?\s+([^\n?.!]+)/i.exec(
      turn.userText,
    )?.[1];
    return [
      think('I search the files of the workspace.'),
      call('search_files', { query: (quoted ?? after ?? 'demo').trim() }),
    ];
  },
};
