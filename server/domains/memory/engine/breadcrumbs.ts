/**
 * What someone might search for later, taken out of a text without a model: links, paths, commands, tickets, keys, amounts,
 * names, decisions. They stand on the card of a compression and, without a summary, in its place.
 */
import type { Message } from '../../messages/schema';
import { messageText } from './chunk';
import { foldText } from './fold';

/** Longest crumb, in characters. */
const MAX_CHARS = 120;
/** Characters of one message that are looked at: both ends, where subjects and outcomes stand. */
const MAX_SCANNED_CHARS = 20_000;

/** In order of worth: what is exact first. The first group is the crumb, the whole match where there is none. */
const patterns: readonly RegExp[] = [
  // Links, without the punctuation of the sentence they stand in.
  /\bhttps?:\/\/[^\s<>"'`)\]}]+[^\s<>"'`)\]}.,;:!?]/gu,
  // Paths: absolute, home, relative, Windows; and file names with a known shape.
  /(?<![\p{L}\p{N}/.:])(?:~|\.{1,2})?(?:\/[\p{L}\p{N}._@+-]+){2,}\/?/gu,
  /\b[A-Za-z]:\\(?:[\p{L}\p{N}._ -]+\\)*[\p{L}\p{N}._-]+/gu,
  /(?<![\p{L}\p{N}/.])[\p{L}\p{N}_-]+(?:\/[\p{L}\p{N}._-]+)+\.[a-z0-9]{1,6}\b/giu,
  /\b[\p{L}\p{N}_-]+\.(?:ts|tsx|js|mjs|json|md|py|rs|go|sql|ya?ml|toml|sh|css|html|csv|txt|pdf|docx?|xlsx?|png|jpe?g|svg|env|lock|conf|ini|log)\b/giu,
  // Commands in code spans.
  /`((?:npm|npx|node|git|docker|kubectl|pip|python3?|cargo|go|make|curl|ssh|psql|sudo|yarn|pnpm|brew|apt|apt-get|systemctl)\s[^`\n]{2,100})`/gu,
  // Tickets and references.
  /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/gu,
  /(?<![\p{L}\p{N}&])#\d{1,6}\b/gu,
  // Configuration keys and constants.
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/gu,
  // Amounts with a currency or a unit.
  /(?:[$€£¥₽]\s?\d[\d.,\u00a0]*\d?(?:\s?(?:k|m|bn|million|billion))?|\b\d[\d.,]*\s?(?:USD|EUR|GBP|RUB|€|₽|руб\.?|%|GB|MB|TB|kB|ms|km|kg))(?![\p{L}\p{N}])/giu,
  // Addresses of mail, versions, dates.
  /\b[\w.+-]+@[\w-]+\.[\w.-]+\b/gu,
  /\bv?\d+\.\d+\.\d+(?:-[\w.]+)?\b/gu,
  /\b\d{4}-\d{2}-\d{2}\b/gu,
  // Code spans of one word.
  /`([^`\s]{3,60})`/gu,
  // Decisions, in the words they were made in.
  /\b((?:we|I|let's|let us) (?:decided|agreed|chose|will use|settled on|go with) [^.!?\n]{4,90})/giu,
  /((?:решили|решено|договорились|выбрали) [^.!?\n]{4,90})/giu,
  // Names: two or three capitalised words that do not begin a sentence.
  /(?<=[\p{Ll}\p{N},;:("'] )(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){1,2})/gu,
];
/** From one pattern: a log full of dates must not crowd out everything else. */
const MAX_EACH = 14;

/** The crumbs of these messages, in order of worth, without repeats. */
export function extractBreadcrumbs(messages: readonly Message[]): string[] {
  const texts = messages.map((message) => scanned(messageText(message)));
  const found: string[] = [];
  for (const pattern of patterns) {
    const counts = new Map<string, number>();
    for (const text of texts) {
      for (const match of text.matchAll(pattern)) {
        const crumb = (match[1] ?? match[0]).trim();
        if (crumb.length >= 2 && crumb.length <= MAX_CHARS) counts.set(crumb, (counts.get(crumb) ?? 0) + 1);
      }
    }
    // Said often first; among equals the later one, which is nearer to the work in hand.
    const ranked = [...counts].map(([crumb, count], at) => ({ crumb, count, at }));
    ranked.sort((a, b) => b.count - a.count || b.at - a.at);
    found.push(...ranked.slice(0, MAX_EACH).map(({ crumb }) => crumb));
  }
  return mergeBreadcrumbs([], found);
}

/** Keys of the summary in front, then what was extracted; each once, whatever its case. */
export function mergeBreadcrumbs(keys: readonly string[], extracted: readonly string[]): string[] {
  const merged = new Map<string, string>();
  for (const crumb of [...keys, ...extracted]) {
    const folded = foldText(crumb);
    if (crumb !== '' && !merged.has(folded)) merged.set(folded, crumb);
  }
  return [...merged.values()];
}

function scanned(text: string): string {
  if (text.length <= MAX_SCANNED_CHARS) return text;
  const half = MAX_SCANNED_CHARS / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}
