import type { Delimiter } from './pieces';

const SPACE = /[\s\u00a0]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const WORD = /[\p{L}\p{N}]/u;
/** Scripts that write no spaces: emphasis beside their letters must not depend on one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;

/** Reads the run of equal delimiter characters at `offset` and decides whether it may open and close emphasis. */
export function readDelimiterRun(text: string, offset: number): Delimiter {
  const char = text.charAt(offset);
  let end = offset + 1;
  while (text.charAt(end) === char) end += 1;
  const before = lastCodePoint(text, offset);
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 32) : ' ';
  const isSpaceBefore = SPACE.test(before);
  const isSpaceAfter = SPACE.test(after);
  const isMarkBefore = PUNCTUATION.test(before);
  const isMarkAfter = PUNCTUATION.test(after);
  const isUnspaced = UNSPACED.test(before) || UNSPACED.test(after);
  const isLeft = !isSpaceAfter && (!isMarkAfter || isSpaceBefore || isMarkBefore || isUnspaced);
  const isRight = !isSpaceBefore && (!isMarkBefore || isSpaceAfter || isMarkAfter || isUnspaced);
  const length = end - offset;
  const isUsable = char !== '~' || length <= 2;
  const isUnderscore = char === '_';
  return {
    kind: 'delimiter',
    char,
    length,
    left: length,
    canOpen: isUsable && isLeft && (!isUnderscore || !isRight || isMarkBefore),
    canClose: isUsable && isRight && (!isUnderscore || !isLeft || isMarkAfter),
    isInsideWord: WORD.test(before) && WORD.test(after),
    opens: [],
    closes: 0,
  };
}

function lastCodePoint(text: string, offset: number): string {
  if (offset === 0) return ' ';
  const unit = text.charCodeAt(offset - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && offset > 1;
  return isLow ? text.slice(offset - 2, offset) : text.charAt(offset - 1);
}

/** Pairs the delimiters from index `bottom` on and takes them off the list (CommonMark's "process emphasis"). */
export function matchDelimiters(delimiters: Delimiter[], bottom: number): void {
  const open: Delimiter[] = [];
  /** How far down openers were already looked for in vain, by kind of closer: keeps the search linear. */
  const floors = new Map<string, number>();
  for (const closer of delimiters.slice(bottom)) {
    while (closer.canClose && closer.left > 0) {
      const key = `${closer.char}${closer.canOpen}${closer.length % 3}${closer.char === '~' ? closer.length : ''}`;
      const floor = Math.min(floors.get(key) ?? 0, open.length);
      let index = open.length - 1;
      while (index >= floor && !canPair(open[index], closer)) index -= 1;
      const opener = open[index];
      if (index < floor || !opener) {
        floors.set(key, open.length);
        break;
      }
      pair(opener, closer);
      open.length = opener.left > 0 ? index + 1 : index;
      for (const [name, value] of floors) if (value > open.length) floors.set(name, open.length);
    }
    if (closer.canOpen && closer.left > 0) open.push(closer);
  }
  delimiters.length = Math.min(delimiters.length, bottom);
}

function canPair(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener?.char !== closer.char || opener.left === 0) return false;
  if (closer.char === '~') return opener.length === closer.length;
  const isMixed = opener.canClose || closer.canOpen;
  return !isMixed || (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

function pair(opener: Delimiter, closer: Delimiter): void {
  const isTilde = closer.char === '~';
  const used = isTilde ? closer.left : opener.left >= 2 && closer.left >= 2 ? 2 : 1;
  opener.opens.push(isTilde ? 'del' : used === 2 ? 'strong' : 'em');
  closer.closes += 1;
  opener.left -= used;
  closer.left -= used;
}
