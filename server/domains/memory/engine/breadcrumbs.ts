/**
 * What compressed history was about, in a few dozen words: names, commands, paths, keys, amounts, tickets, decisions and
 * links. Extracted from the text itself, so that they are there also when no summariser was asked; the keys of a summary
 * come first, as a model chose those.
 */

export type BreadcrumbKind = 'link' | 'path' | 'ticket' | 'command' | 'key' | 'amount' | 'decision' | 'name';

/** Most breadcrumbs of one compression, and the longest in characters. */
export const MAX_BREADCRUMBS = 80;
const MAX_BREADCRUMB_CHARS = 120;
/** Most of one kind, so that a directory listing does not push everything else out. */
const MAX_PER_KIND = 16;
/** Characters of one text that are looked at. */
const MAX_TEXT_CHARS = 20_000;

/** In the order of what is most worth keeping. The first group is what is kept, else the whole match. */
const patterns: readonly { kind: BreadcrumbKind; pattern: RegExp }[] = [
  {
    kind: 'decision',
    pattern:
      /(?:^|\n)[ \t>*#-]{0,12}(?:decision|decided|agreed|решение|решили|договорились|决定|entscheidung)[ \t*]{0,4}[:：—-]?[ \t*]{0,4}([^\n]{8,110})/giu,
  },
  { kind: 'ticket', pattern: /\b([A-Z][A-Z0-9]{1,9}-\d{1,6}|(?:(?<![\w./-])[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7})\b/g },
  { kind: 'link', pattern: /\bhttps?:\/\/[^\s<>"'`)\]}]{4,118}/giu },
  {
    kind: 'command',
    pattern: /(?:^|\n)[ \t]{0,12}\$[ \t]{1,4}([^\n]{2,118})|"command"\s{0,2}:\s{0,2}"((?:[^"\\]|\\.){2,118})"/g,
  },
  {
    kind: 'path',
    pattern:
      /(?<![\w/:.~-])(?:~|\.{1,2})?(?:\/[\w.@+-]{1,80}){2,20}|(?<![\w/.-])[\w-]{1,60}(?:\/[\w.-]{1,60}){1,12}\.\w{1,8}\b|\b[A-Za-z]:\\[^\s"'<>|]{2,100}|(?<![\w-])[\w-]{1,60}\.(?:tsx?|jsx?|py|rs|go|java|c|cpp|h|md|json|ya?ml|toml|sql|sh|env|txt|csv|pdf|docx?|xlsx?|html|css|ini|conf|lock)\b/g,
  },
  {
    kind: 'key',
    pattern:
      /\b[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}\b|(?<![\w.])[a-z][a-z0-9]{0,40}(?:[._][a-z0-9]{1,40}){1,5}(?=\s{0,2}[=:]\s{0,2}\S)|`([^`\n]{2,60})`/g,
  },
  {
    kind: 'amount',
    pattern:
      /(?:[$€£¥₽]\s?\d[\d.,\u00a0]{0,20}\s?(?:k|m|bn|million|тыс|млн)?|(?<![\d.,])\d[\d.,\u00a0]{0,20}\s?(?:[$€£¥₽%]|usd|eur|gbp|rub|руб\.?|元|dollars?|euros?)(?![\p{L}\p{N}]))/giu,
  },
  {
    kind: 'name',
    pattern:
      /(?<![.!?。]\s|^|\n|[-*>•]\s)(?<![\p{L}\p{N}])(\p{Lu}[\p{Ll}'’-]{1,24}(?:[ ]\p{Lu}[\p{Ll}'’-]{1,24}){0,2})(?![\p{L}\p{N}])/gu,
  },
];

/** Words that are written large without naming anything. */
const notNames = new Set([
  'I',
  'The',
  'This',
  'That',
  'It',
  'Yes',
  'No',
  'Ok',
  'Okay',
  'But',
  'And',
  'You',
  'We',
  'He',
  'She',
  'They',
  'If',
  'When',
  'What',
  'How',
  'Why',
  'Where',
  'User',
  'Assistant',
  'Result',
  'Hi',
  'Hey',
  'Thanks',
  'Вы',
  'Я',
  'Да',
  'Нет',
]);

/**
 * Breadcrumbs of texts, with the keys of their summary first. Without repeats (case aside), in order of kind and then of how
 * often they occur.
 */
export function extractBreadcrumbs(texts: readonly string[], summaryKeys: readonly string[] = []): string[] {
  const kept = new Map<string, string>();
  const add = (text: string) => {
    const clean = text.trim().replace(/[\s.,;:]+$/u, '');
    if (clean.length < 2 || clean.length > MAX_BREADCRUMB_CHARS || kept.size >= MAX_BREADCRUMBS) return;
    const same = clean.toLowerCase();
    if (!kept.has(same)) kept.set(same, clean);
  };
  for (const key of summaryKeys) add(key);
  for (const { kind, pattern } of patterns) {
    const counts = new Map<string, number>();
    for (const text of texts) {
      for (const match of text.slice(0, MAX_TEXT_CHARS).matchAll(pattern)) {
        const found = (match[1] ?? match[2] ?? match[0]).trim();
        if (kind !== 'name' || isName(found)) counts.set(found, (counts.get(found) ?? 0) + 1);
      }
    }
    const best = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_PER_KIND);
    for (const [found] of best) add(found);
  }
  return [...kept.values()];
}

const isName = (text: string): boolean => !notNames.has(text.split(/\s/u)[0] ?? '') && text.length > 2;
