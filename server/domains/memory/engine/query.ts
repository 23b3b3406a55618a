/** What a question asks for: terms, who said it, and when. */
import { type DateCue, findDateCues } from './date-cues';
import { foldText } from './fold';
import { isStopWord } from './stop-words';
import type { Token, Tokeniser } from './tokenise';

export interface Query {
  /** Distinct words that mean something, in the order of the question; all words where none does. */
  tokens: Token[];
  /** Folded text, for names of speakers. */
  folded: string;
  dates: DateCue[];
}

/** Most words of a query that are looked at: a pasted page is not a question. */
const MAX_QUERY_TOKENS = 48;

/**
 * Characters of a question that are read. Somebody who pastes a log asks before or after it; a megabyte of it would hold up
 * every other chat for a quarter of a second.
 */
const READ_CHARS = 8_000;

/** The beginning and the end of a long text. */
const readable = (text: string): string =>
  text.length <= READ_CHARS ? text : `${text.slice(0, READ_CHARS / 2)}\n${text.slice(-READ_CHARS / 2)}`;

/** Parses a question or a list of search terms. `now` resolves "yesterday"; ISO. */
export function parseQuery(text: string, tokeniser: Tokeniser, now: string): Query {
  const read = readable(text);
  const all = tokeniser.tokens(read);
  const meaningful = all.filter((token) => !isStopWord(token.word));
  const distinct = new Map<string, Token>();
  for (const token of meaningful.length > 0 ? meaningful : all) {
    if (!distinct.has(token.stem)) distinct.set(token.stem, token);
  }
  return { tokens: fromBothEnds([...distinct.values()]), folded: foldText(read), dates: findDateCues(read, now) };
}

/** A question stands before or after what was pasted with it. */
const fromBothEnds = (tokens: Token[]): Token[] =>
  tokens.length <= MAX_QUERY_TOKENS
    ? tokens
    : [...tokens.slice(0, MAX_QUERY_TOKENS / 2), ...tokens.slice(-MAX_QUERY_TOKENS / 2)];
