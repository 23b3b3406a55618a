/** The line of breadcrumbs at the end of a summary (seed 004, step 5). */

export interface SplitSummary {
  text: string;
  keys: string[];
}

/** Most keys taken from one summary, and the longest one in characters: a model that lists everything lists nothing. */
const MAX_KEYS = 60;
const MAX_KEY_CHARS = 120;

/** `KEYS: a, b`, also as a bold, quoted or listed line, or with the full-width colon. */
const keysLine = /^[\s>*_#-]*keys[*_\s]*[:：][*_\s]*(.*)$/iu;

/**
 * Takes the last `KEYS:` line out of a summary and returns its items without repeats. A summary without one, or with one in
 * the middle of its text, comes back unchanged.
 */
export function splitKeysLine(summary: string): SplitSummary {
  const lines = summary.trimEnd().split('\n');
  // A model may close a fence or sign off behind the line: two trailing lines without letters are forgiven.
  for (let index = lines.length - 1; index >= 0 && index >= lines.length - 3; index--) {
    const line = lines[index] ?? '';
    const match = keysLine.exec(line);
    if (match !== null) {
      const rest = [...lines.slice(0, index), ...lines.slice(index + 1)].join('\n').trim();
      return { text: rest, keys: splitItems(match[1] ?? '') };
    }
    if (/[\p{L}\p{N}]/u.test(line)) break;
  }
  return { text: summary, keys: [] };
}

function splitItems(list: string): string[] {
  const keys = new Set<string>();
  for (const item of list.split(/[,;，、；]\s*/u)) {
    const key = item
      .trim()
      .replace(/\.$/u, '')
      .replace(/^[`"'*[(]+|[`"'*\])]+$/gu, '')
      .trim();
    if (key !== '' && key.length <= MAX_KEY_CHARS) keys.add(key);
    if (keys.size >= MAX_KEYS) break;
  }
  return [...keys];
}
