/**
 * Inline Markdown: CommonMark's delimiter algorithm with GFM's strikethrough and bare addresses, and mathematics.
 * Linear in the text but for matching brackets. With `isOpenEnded` (the text is still arriving) what has no end yet is
 * taken to end with the text, so that half-written emphasis, code and links look calm.
 */

import { readAddress, readEmail } from './addresses';
import { normaliseLabel } from './definitions';
import { matchDelimiters, readDelimiterRun } from './delimiters';
import { ESCAPABLE, readReference } from './entities';
import { buildInlines } from './inline-tree';
import { readLinkTail } from './link-tail';
import { readMath } from './math-source';
import { HTML_TAG } from './patterns';
import type { Bracket, Delimiter, Piece } from './pieces';
import type { Definition, Inline, InlineWrap } from './types';

export interface InlineOptions {
  definitions: ReadonlyMap<string, Definition>;
  isOpenEnded: boolean;
}

const SPECIAL = /[\\`*_~[\]!<&$\n@]|https?:\/\/|www\./g;
const WRAP_TAG = /^<(\/?)(sub|sup|kbd|mark|u)>$/i;
const ANGLE_LINK = /<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*)>|<([\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)*)>/y;

/** Parses the inline text of one block. */
export function parseInlines(text: string, options: InlineOptions): Inline[] {
  const pieces: Piece[] = [];
  const delimiters: Delimiter[] = [];
  const brackets: Bracket[] = [];
  let position = 0;
  let closedCodeRuns: Map<number, number[]> | null = null;

  function addText(value: string) {
    const last = pieces.at(-1);
    if (last?.kind === 'text') last.text += value;
    else pieces.push({ kind: 'text', text: value });
  }

  function add(inline: Inline) {
    pieces.push({ kind: 'inline', inline });
  }

  /** Offset of the backtick run of this length that closes code opened before `from`, or -1. */
  function findCodeEnd(length: number, from: number): number {
    if (!closedCodeRuns) {
      closedCodeRuns = new Map();
      for (const run of text.matchAll(/`+/g)) {
        const offsets = closedCodeRuns.get(run[0].length) ?? [];
        offsets.push(run.index);
        closedCodeRuns.set(run[0].length, offsets);
      }
    }
    const offsets = closedCodeRuns.get(length) ?? [];
    while (offsets.length > 0 && (offsets[0] ?? 0) < from) offsets.shift();
    return offsets[0] ?? -1;
  }

  function readCode() {
    const run = /`+/y;
    run.lastIndex = position;
    const ticks = run.exec(text)?.[0] ?? '`';
    const start = position + ticks.length;
    const end = findCodeEnd(ticks.length, start);
    if (end === -1 && (!options.isOpenEnded || ticks.length > 2)) {
      addText(ticks);
      position = start;
      return;
    }
    let code = text.slice(start, end === -1 ? text.length : end).replace(/\n/g, ' ');
    if (end === -1) code = code.replace(/`+$/, '');
    if (/^ .*[^ ].* $|^ [^ ] $/.test(code)) code = code.slice(1, -1);
    if (code !== '') add({ type: 'code', text: code });
    position = end === -1 ? text.length : end + ticks.length;
  }

  function readBackslash() {
    const next = text.charAt(position + 1);
    if (next === '\n') {
      add({ type: 'break' });
      position += 2;
      while (text.charAt(position) === ' ') position += 1;
    } else if ((next === '(' || next === '[') && readFormula()) {
      return;
    } else if (ESCAPABLE.test(next)) {
      addText(next);
      position += 2;
    } else {
      addText('\\');
      position += 1;
    }
  }

  function readFormula(): boolean {
    const span = readMath(text, position, options.isOpenEnded);
    if (!span) return false;
    const source = text.slice(position, span.endOffset);
    const { isDisplay, isClosed } = span;
    add({ type: 'math', text: span.text, isDisplay, isClosed, source });
    position = span.endOffset;
    return true;
  }

  function readAngle() {
    ANGLE_LINK.lastIndex = position;
    const link = ANGLE_LINK.exec(text);
    if (link) {
      const shown = link[1] ?? link[2] ?? '';
      const href = link[1] ?? `mailto:${shown}`;
      add({ type: 'link', href, title: null, children: [{ type: 'text', text: shown }] });
      position += link[0].length;
      return;
    }
    HTML_TAG.lastIndex = position;
    const tag = HTML_TAG.exec(text)?.[0];
    if (!tag) {
      addText('<');
      position += 1;
      return;
    }
    const wrap = WRAP_TAG.exec(tag);
    if (/^<br\s*\/?>$/i.test(tag)) add({ type: 'break' });
    else if (wrap)
      pieces.push({
        kind: 'tag',
        name: (wrap[2] ?? 'u').toLowerCase() as InlineWrap,
        isEnd: wrap[1] === '/',
        source: tag,
      });
    else addText(tag);
    position += tag.length;
  }

  function readLineEnd() {
    const last = pieces.at(-1);
    // Counted in the source: looking through what is put together so far would cost all of it at every line end.
    let trailing = 0;
    while (text.charAt(position - 1 - trailing) === ' ') trailing += 1;
    if (trailing > 0 && last?.kind === 'text') last.text = last.text.slice(0, -trailing);
    position += 1;
    while (text.charAt(position) === ' ') position += 1;
    if (trailing >= 2) add({ type: 'break' });
    else addText('\n');
  }

  function openBracket(isImage: boolean) {
    const source = isImage ? '![' : '[';
    brackets.push({
      pieceIndex: pieces.length,
      delimiterCount: delimiters.length,
      isImage,
      isActive: true,
      textOffset: position + source.length,
    });
    pieces.push({ kind: 'text', text: source });
    pieces.push({ kind: 'text', text: '' });
    position += source.length;
  }

  function closeBracket() {
    const opener = brackets.pop();
    const labelEnd = position;
    position += 1;
    if (!opener?.isActive) {
      addText(']');
      return;
    }
    const tail = readLinkTail(text, position, options.isOpenEnded);
    const target = tail ?? findDefinition(opener, labelEnd);
    if (!target) {
      addText(']');
      return;
    }
    position = target.endOffset;
    matchDelimiters(delimiters, opener.delimiterCount);
    if (opener.isImage) {
      const inner = buildInlines(pieces.splice(opener.pieceIndex).slice(1), false);
      add({ type: 'image', href: target.href ?? '', title: target.title, alt: plainText(inner) });
      return;
    }
    pieces[opener.pieceIndex] = { kind: 'link', href: target.href, title: target.title };
    pieces.push({ kind: 'linkEnd' });
    for (const bracket of brackets) if (!bracket.isImage) bracket.isActive = false;
  }

  function findDefinition(opener: Bracket, labelEnd: number) {
    if (options.definitions.size === 0) return null;
    const explicit = /\[((?:\\.|[^[\]\\])*)\]/y;
    explicit.lastIndex = position;
    const match = explicit.exec(text);
    const own = text.slice(opener.textOffset, labelEnd);
    const definition = options.definitions.get(normaliseLabel(match?.[1] || own));
    if (!definition) return null;
    return { href: definition.href, title: definition.title, endOffset: position + (match?.[0].length ?? 0) };
  }

  function readLink(candidate: { href: string; text: string; endOffset: number } | null, fallback: string) {
    if (candidate)
      add({ type: 'link', href: candidate.href, title: null, children: [{ type: 'text', text: candidate.text }] });
    else addText(fallback);
    position = candidate?.endOffset ?? position + fallback.length;
  }

  function readMail() {
    const last = pieces.at(-1);
    const mail = last?.kind === 'text' ? readEmail(last.text, text, position) : null;
    if (mail && last?.kind === 'text') last.text = last.text.slice(0, -mail.localLength);
    readLink(mail, '@');
  }

  function readSpecial(special: string) {
    if (special === '\\') readBackslash();
    else if (special === '`') readCode();
    else if (special === '\n') readLineEnd();
    else if (special === '<') readAngle();
    else if (special === '[') openBracket(false);
    else if (special === ']') closeBracket();
    else if (special === '!' && text.charAt(position + 1) === '[') openBracket(true);
    else if (special === '*' || special === '_' || special === '~') {
      const delimiter = readDelimiterRun(text, position);
      position += delimiter.length;
      pieces.push(delimiter);
      if (delimiter.canOpen || delimiter.canClose) delimiters.push(delimiter);
    } else if (special === '&') {
      const reference = readReference(text, position);
      addText(reference?.text ?? '&');
      position = reference?.endOffset ?? position + 1;
    } else if (special === '$') {
      if (!readFormula()) {
        const run = text.charAt(position + 1) === '$' ? '$$' : '$';
        addText(run);
        position += run.length;
      }
    } else if (special === '@') readMail();
    else if (special.length > 1) readLink(readAddress(text, position), special);
    else {
      addText(special);
      position += 1;
    }
  }

  while (position < text.length) {
    SPECIAL.lastIndex = position;
    const match = SPECIAL.exec(text);
    if (!match) {
      addText(text.slice(position));
      break;
    }
    if (match.index > position) addText(text.slice(position, match.index));
    position = match.index;
    readSpecial(match[0]);
  }
  matchDelimiters(delimiters, 0);
  if (options.isOpenEnded) delimiters.length = 0;
  return buildInlines(pieces, options.isOpenEnded);
}

/** The text of inline content without its marks: for image descriptions and names. */
export function plainText(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text' || inline.type === 'code') return inline.text;
      if (inline.type === 'image') return inline.alt;
      if (inline.type === 'math') return inline.source;
      return inline.type === 'break' ? ' ' : plainText(inline.children);
    })
    .join('');
}
