import { decodeEscapes } from './entities';

export interface LinkTail {
  /** null while the address is still being written. */
  href: string | null;
  title: string | null;
  endOffset: number;
}

const SPACES = /[ \t]*\n?[ \t]*/y;
const ANGLED = /<((?:\\.|[^<>\\\n])*)>/y;
const TITLE = /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|\(((?:\\[\s\S]|[^()\\])*)\)/y;
/** Parentheses that an address may nest (CommonMark's reference limit). */
const MAX_PARENTHESES = 32;

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

function skipSpaces(text: string, offset: number): number {
  return offset + (match(SPACES, text, offset)?.[0].length ?? 0);
}

/** End of an address without angle brackets that starts at `offset`. */
function findAddressEnd(text: string, offset: number): number {
  let depth = 0;
  let index = offset;
  for (; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '\\' && index + 1 < text.length && !/\s/.test(text.charAt(index + 1))) index += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      if (depth === 0) break;
      depth -= 1;
    } else if (/[\s\p{Cc}]/u.test(char)) break;
    if (depth > MAX_PARENTHESES) return -1;
  }
  return depth === 0 || index === text.length ? index : -1;
}

/** Reads `(address "title")` after a link's text. With `isOpenEnded` it may break off at the end of the text. */
export function readLinkTail(text: string, offset: number, isOpenEnded: boolean): LinkTail | null {
  if (text.charAt(offset) !== '(') return null;
  const unfinished: LinkTail | null = isOpenEnded ? { href: null, title: null, endOffset: text.length } : null;
  let position = skipSpaces(text, offset + 1);
  let href: string;
  const angled = match(ANGLED, text, position);
  if (angled) {
    href = angled[1] ?? '';
    position += angled[0].length;
  } else {
    const end = findAddressEnd(text, position);
    if (end === -1 || text.charAt(position) === '<') return null;
    href = text.slice(position, end);
    position = end;
  }
  if (position >= text.length) return unfinished;
  const afterAddress = position;
  position = skipSpaces(text, position);
  const quoted = position > afterAddress ? match(TITLE, text, position) : null;
  if (quoted) position = skipSpaces(text, position + quoted[0].length);
  if (text.charAt(position) !== ')') {
    const isInTitle =
      position >= text.length || (/["'(]/.test(text.charAt(position)) && !text.slice(position).includes(')'));
    return isInTitle ? unfinished : null;
  }
  const title = quoted ? decodeEscapes(quoted[1] ?? quoted[2] ?? quoted[3] ?? '') : null;
  return { href: decodeEscapes(href), title, endOffset: position + 1 };
}
