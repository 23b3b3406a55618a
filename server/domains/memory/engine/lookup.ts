/**
 * The first, cheap stage of a search: which chunks are worth reading at all. The store answers it from its index alone
 * (hashed terms of chunks, and how many chunks hold a term); this file says what to ask for and how to weigh the answer.
 */
import type { Query } from './query';
import { type TermStatistics, termWeight } from './term-statistics';

/** Chunks that are read and ranked. With their neighbours about 100 kB of text: more costs time and finds nothing. */
export const CANDIDATE_CHUNKS = 32;
/** Chunks on each side of a candidate that are read with it, for the words around a passage. */
export const NEIGHBOUR_CHUNKS = 1;
/** Postings that a lookup may touch: bounds its time, whatever the history's size. */
export const MAX_POSTINGS = 1500;

export interface Lookup {
  /** Terms whose chunks are candidates, rarest first: any of them. */
  anyOf: string[];
  /** Weight of each term of the question, those of `anyOf` included: a chunk's score is the sum over the terms it holds. */
  weights: { term: string; weight: number }[];
  /** Even the rarest term is in more chunks than may be touched: only the newest chunks are looked at. */
  isNewestOnly: boolean;
}

/** What a chunk of the asked time is worth in the first stage: about one rare word. */
export const DATE_LOOKUP_WEIGHT = 4;
/** A prefix says less than the word; its weight in the first stage. */
const PREFIX_WEIGHT = 0.5;

/** All terms that a lookup needs statistics for. */
export function lookupTerms(query: Query): string[] {
  return [
    ...new Set(query.tokens.flatMap((token) => (token.prefix === null ? [token.stem] : [token.stem, token.prefix]))),
  ];
}

/**
 * Plans the lookup. Rare terms find the candidates, until they would touch too many chunks; common ones only weigh. Null
 * when no term of the question is in the history.
 */
export function planLookup(query: Query, statistics: TermStatistics): Lookup | null {
  const stems = new Set(query.tokens.map((token) => token.stem));
  const known = lookupTerms(query)
    .map((term) => ({ term, count: statistics.chunksWith(term) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  if (known.length === 0) return null;
  const anyOf: string[] = [];
  let postings = 0;
  for (const { term, count } of known) {
    if (anyOf.length > 0 && postings + count > MAX_POSTINGS) break;
    anyOf.push(term);
    postings += count;
  }
  const weights = known.map(({ term }) => ({
    term,
    weight: termWeight(term, statistics) * (stems.has(term) ? 1 : PREFIX_WEIGHT),
  }));
  return { anyOf, weights, isNewestOnly: postings > MAX_POSTINGS };
}

/** Score of a chunk that holds `held`: what the store's statement computes, for histories in memory and for its test. */
export function lookupScore(lookup: Lookup, held: ReadonlySet<string>): number {
  return lookup.weights.reduce((sum, { term, weight }) => sum + (held.has(term) ? weight : 0), 0);
}
