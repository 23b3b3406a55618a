/** What the result of a tool holds. Pure. */

/** Longest text that is tried as JSON, in characters: parsing more would hold up the page for little. */
const MAX_JSON_CHARS = 200_000;
/** Tools say in a few lines what they give (`data.json, lines 1 to 3 of 3`), then a blank line, then give it. Characters. */
const MAX_HEAD_CHARS = 1_000;

export interface ResultParts {
  /** What stands before the value; empty where it is all of the text. */
  head: string;
  /** A list or a record; null where the result is plain text. */
  value: object | null;
}

export function readResult(text: string): ResultParts {
  const whole = parseJson(text);
  if (whole !== null) return { head: '', value: whole };
  const end = text.slice(0, MAX_HEAD_CHARS).indexOf('\n\n');
  const value = end < 0 ? null : parseJson(text.slice(end));
  return { head: value === null ? '' : text.slice(0, end), value };
}

function parseJson(text: string): object | null {
  if (text.length > MAX_JSON_CHARS || !/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}
