/** Finds likely secrets in a text and shows where, without showing them. Pure. */
import { secretPatterns } from './secret-patterns';

export interface FoundSecret {
  kind: string;
  /** The words around it on one line, every secret masked. */
  excerpt: string;
}

interface Range {
  kind: string;
  start: number;
  end: number;
}

/** Characters of the surroundings on each side, and of the secret itself that tell the person which one it is. */
const CONTEXT_CHARS = 32;
const SHOWN_CHARS = 4;
const MASK = '••••••';

/** The likely secrets of a text in the order in which they stand, at most `limit`. Each different one once. */
export function findSecrets(text: string, limit: number): FoundSecret[] {
  const ranges = findRanges(text);
  const seen = new Set<string>();
  const found: FoundSecret[] = [];
  for (const range of ranges) {
    const secret = text.slice(range.start, range.end);
    if (seen.has(secret)) continue;
    seen.add(secret);
    found.push({ kind: range.kind, excerpt: excerptOf(text, range, ranges) });
    if (found.length === limit) break;
  }
  return found;
}

/** Apart from one another and ascending; where two overlap, the pattern that stands first in the list names it. */
function findRanges(text: string): Range[] {
  let ranges: Range[] = [];
  for (const { kind, pattern, isSecret, endOf } of secretPatterns) {
    const fresh: Range[] = [];
    // Matches come in order, so one walk along the ranges that are there already tells which overlap.
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      const groups = match.groups ?? {};
      const secret = groups.secret ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      if (start < (fresh.at(-1)?.end ?? 0) || isSecret?.(secret, groups) === false) continue;
      const end = endOf?.(text, start) ?? start + secret.length;
      while ((ranges[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++;
      if ((ranges[at]?.start ?? Number.POSITIVE_INFINITY) >= end) fresh.push({ kind, start, end });
    }
    if (fresh.length > 0) ranges = [...ranges, ...fresh].sort((a, b) => a.start - b.start);
  }
  return ranges;
}

function excerptOf(text: string, { start, end }: Range, ranges: readonly Range[]): string {
  const from = Math.max(0, start - CONTEXT_CHARS);
  const to = Math.min(text.length, end + CONTEXT_CHARS);
  let excerpt = from > 0 ? '…' : '';
  let at = from;
  for (const range of ranges) {
    if (range.end <= from || range.start >= to) continue;
    if (range.start > at) excerpt += text.slice(at, range.start);
    if (range.start >= from) excerpt += masked(text.slice(range.start, range.end));
    else excerpt += MASK;
    at = range.end;
  }
  if (at < to) excerpt += text.slice(at, to);
  return `${excerpt.replace(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}

/** The first characters of a long one, which name its maker and not more; nothing of a short one. */
function masked(secret: string): string {
  return secret.length >= 20 && !/\s/.test(secret) ? `${secret.slice(0, SHOWN_CHARS)}${MASK}` : MASK;
}
