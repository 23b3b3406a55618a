/**
 * Colours code with Shiki's grammars in plain JavaScript. Loaded with the first block that has a known language; grammars load
 * one by one. Works in slices, so that a long block never holds the page.
 */
import {
  codeToTokensBase,
  createCssVariablesTheme,
  createShikiPrimitiveAsync,
  type GrammarState,
  getLastGrammarState,
  type ShikiPrimitive,
  type ThemedToken,
} from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { findGrammar } from './languages';

/** A piece of a line: its text and the class that colours it, if any. */
export interface CodeToken {
  text: string;
  className?: string;
}

export interface CodeHighlighter {
  /** Colours lines that follow those already coloured. */
  readLines(lines: string[]): CodeToken[][];
}

const THEME = 'navi';
/** Lines longer than this are minified code or data: not worth colouring, and slow. */
const MAX_LINE_LENGTH = 1000;
/**
 * Shiki gives up on a line after this, and colours all that follows wrongly: long enough for the first line, which compiles the
 * grammar (0.2 s on a slow machine).
 */
const LINE_TIMEOUT_MS = 2000;

/** One Shiki for the page: it caches compiled grammars. Held by this module, which itself loads only when needed. */
let primitivePromise: Promise<ShikiPrimitive> | undefined;

function getPrimitive(): Promise<ShikiPrimitive> {
  primitivePromise ??= createShikiPrimitiveAsync({
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--', fontStyle: true })],
    langs: [],
  });
  return primitivePromise;
}

/** Opens a highlighter for one block; null when the language is unknown. */
export async function openHighlighter(language: string): Promise<CodeHighlighter | null> {
  const load = findGrammar(language);
  if (!load) return null;
  const [primitive, grammars] = await Promise.all([getPrimitive(), load()]);
  await primitive.loadLanguage(grammars.default);
  const lang = grammars.default.at(-1)?.name;
  if (!lang) return null;
  let grammarState: GrammarState | undefined;
  return {
    readLines: (lines) => {
      const options = {
        lang,
        theme: THEME,
        tokenizeMaxLineLength: MAX_LINE_LENGTH,
        tokenizeTimeLimit: LINE_TIMEOUT_MS,
      };
      const tokens = codeToTokensBase(primitive, lines.join('\n'), { ...options, grammarState });
      grammarState = getLastGrammarState(primitive, tokens);
      return tokens.map((line) => joinTokens(line));
    },
  };
}

const FONT_ITALIC = 1;
const FONT_BOLD = 2;

function joinTokens(line: ThemedToken[]): CodeToken[] {
  const joined: CodeToken[] = [];
  for (const token of line) {
    const className = nameClass(token);
    const last = joined.at(-1);
    if (last && (last.className === className || token.content.trim() === '')) last.text += token.content;
    else joined.push({ text: token.content, className });
  }
  return joined;
}

/** `var(--token-keyword)` becomes the class `md-keyword`; colours live in the style sheet, for light and dark alike. */
function nameClass(token: ThemedToken): string | undefined {
  const names: string[] = [];
  const kind = /--token-([\w-]+)/.exec(token.color ?? '')?.[1];
  if (kind) names.push(`md-${kind}`);
  const fontStyle = token.fontStyle ?? 0;
  if (fontStyle > 0 && fontStyle & FONT_ITALIC) names.push('md-italic');
  if (fontStyle > 0 && fontStyle & FONT_BOLD) names.push('md-bold');
  return names.length > 0 ? names.join(' ') : undefined;
}
