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

/** Parses a question or a list of search terms. `now` resolves "yesterday"; ISO. */
export function parseQuery(text: string, tokeniser: Tokeniser, now: string): Query {
  const all = tokeniser.tokens(text);
  const meaningful = all.filter((token) => !isStopWord(token.word));
  const distinct = new Map<string, Token>();
  for (const token of meaningful.length > 0 ? meaningful : all) {
    if (!distinct.has(token.stem)) distinct.set(token.stem, token);
    if (distinct.size >= MAX_QUERY_TOKENS) break;
  }
  return { tokens: [...distinct.values()], folded: foldText(text), dates: findDateCues(text, now) };
}
