/** Names of languages as people write them, where they are not the fence's word with a capital. */
const NAMES: Record<string, string> = {
  js: 'JavaScript',
  javascript: 'JavaScript',
  jsx: 'JSX',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  tsx: 'TSX',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  sh: 'Shell',
  yml: 'YAML',
  md: 'Markdown',
  cpp: 'C++',
  'c++': 'C++',
  cs: 'C#',
  csharp: 'C#',
  'c#': 'C#',
  php: 'PHP',
  graphql: 'GraphQL',
  powershell: 'PowerShell',
  postgresql: 'PostgreSQL',
  latex: 'LaTeX',
  txt: 'Text',
};
const ABBREVIATIONS = /^(?:html|css|scss|json|json5|jsonc|jsonl|sql|xml|yaml|toml|ini|csv|http|svg|hcl)$/;

/** The language word of a fence's info string, lower case: `ts title="a.ts"` and `{.ts}` are `ts`. */
export function readLanguage(info: string): string {
  return (/^[{.]*([\w+#-]+)/.exec(info.trim())?.[1] ?? '').toLowerCase();
}

/** What the head of a code block calls the language. */
export function nameLanguage(language: string): string {
  if (language === '') return 'Text';
  if (Object.hasOwn(NAMES, language)) return NAMES[language] ?? language;
  return ABBREVIATIONS.test(language) ? language.toUpperCase() : language.charAt(0).toUpperCase() + language.slice(1);
}
