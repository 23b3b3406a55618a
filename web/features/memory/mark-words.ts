/** Characters before the first match that an excerpt keeps, so that it can be understood. */
const LEAD_CHARS = 120;

/** The part of a long text that shows why it was found: from a little before the first word of the query. Pure. */
export function excerptAround(text: string, query: string, maxChars: number): string {
  if (text.length <= maxChars * 1.3) return text;
  const match = markWords(text, query).find((part) => part.isMarked && part.text.length > 2);
  const wish = Math.max(0, Math.min((match?.at ?? 0) - LEAD_CHARS, text.length - maxChars));
  // At a space, not within a word.
  const from = wish === 0 ? 0 : text.indexOf(' ', wish) + 1;
  const end = from + maxChars;
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}

/** Splits a text where words of a query begin in it, for highlighting. Case does not matter. Pure. */
export function markWords(text: string, query: string): { text: string; isMarked: boolean; at: number }[] {
  const words = [...new Set(query.match(/[\p{L}\p{N}_.$/-]{2,}/gu) ?? [])];
  if (words.length === 0) return [{ text, isMarked: false, at: 0 }];
  const escaped = words.sort((a, b) => b.length - a.length).map((word) => word.replace(/[.$/-]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})`, 'giu');
  const parts: { text: string; isMarked: boolean; at: number }[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), isMarked: false, at: from });
    parts.push({ text: match[0], isMarked: true, at: match.index });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMarked: false, at: from });
  return parts;
}
