/**
 * Ranks passages for a question without any model. The score of a passage mixes its own words with those around it, as an
 * answer often stands next to the words that were asked about; every part lies between 0 and 1, and so does the result,
 * which is the similarity that memory recall compares with its threshold.
 *
 * Weights were tuned on conversations 1, 3, 5, 7 and 9 of LoCoMo (`bench/locomo.ts`), and hold for the other five.
 */
import type { Passage } from './chunk';
import { matchDate } from './date-cues';
import { foldText } from './fold';
import type { Query } from './query';
import { type TermStatistics, termWeight } from './term-statistics';
import type { Token, Tokeniser } from './tokenise';

/** A passage among its neighbours. `position` counts passages of the session; gaps are where nothing was fetched. */
export interface CandidatePassage extends Passage {
  position: number;
}

export interface RankedPassage extends CandidatePassage {
  /** 0 to 1. */
  similarity: number;
}

/** Weights of the parts. */
export interface RankWeights {
  /** The passage's own words, one on each side, two, four, ten. */
  own: number;
  beside: number;
  near: number;
  around: number;
  far: number;
  /** Two query words that stand next to each other here too. */
  pairs: number;
  /** Words that begin alike. */
  prefixes: number;
  /** The named speaker speaks. */
  speaker: number;
  /** The time that was asked for. */
  date: number;
}

export const rankWeights: RankWeights = {
  own: 0.4,
  beside: 0.2,
  near: 0.4,
  around: 0.5,
  far: 0.4,
  pairs: 0.5,
  prefixes: 0.6,
  speaker: 0.3,
  date: 0.4,
};

/** Passages on each side of each of the five contexts. */
const REACH = [0, 1, 2, 4, 10] as const;
/** BM25's saturation and length norm (the usual values). */
const K1 = 1.2;
const B = 0.75;

export interface RankInput {
  query: Query;
  /** In order of position. */
  passages: readonly CandidatePassage[];
  statistics: TermStatistics;
  tokeniser: Tokeniser;
  weights?: RankWeights;
}

/** Every candidate with its similarity, in the order given. */
export function rankPassages(input: RankInput): RankedPassage[] {
  const { query, passages, statistics } = input;
  const weights = input.weights ?? rankWeights;
  const tokens = passages.map((passage) => input.tokeniser.tokens(passage.text));
  const speakers = namedSpeakers(query, passages);
  const asked = query.tokens.filter((token) => !speakers.words.has(token.word));
  const wanted = asked.length > 0 ? asked : query.tokens;

  const stems = termScores(
    passages,
    tokens,
    wanted.map((token) => token.stem),
    (token) => token.stem,
    statistics,
    REACH,
  );
  const prefixes = termScores(
    passages,
    tokens,
    wanted.map((token) => token.prefix ?? token.stem),
    (token) => token.prefix ?? token.stem,
    statistics,
    [0],
  );
  const pairs = pairScores(passages, tokens, wanted, statistics);
  const total =
    weights.own + weights.beside + weights.near + weights.around + weights.far + weights.pairs + weights.prefixes;
  return passages.map((passage, at) => {
    const words =
      weights.own * (stems[0]?.[at] ?? 0) +
      weights.beside * (stems[1]?.[at] ?? 0) +
      weights.near * (stems[2]?.[at] ?? 0) +
      weights.around * (stems[3]?.[at] ?? 0) +
      weights.far * (stems[4]?.[at] ?? 0) +
      weights.prefixes * (prefixes[0]?.[at] ?? 0) +
      weights.pairs * (pairs[at] ?? 0);
    const cues =
      weights.speaker * (speakers.names.has(passage.speaker) ? 1 : 0) +
      weights.date * matchDate(passage.createdAt, query.dates);
    return { ...passage, similarity: Math.min(1, words / total + cues) };
  });
}

/**
 * BM25 of every passage for several widths of context around it, as a share of what a passage with all terms would reach.
 * Term counts of a context are sums over its passages, from prefix sums, so a width costs one pass.
 */
function termScores(
  passages: readonly CandidatePassage[],
  tokens: readonly Token[][],
  wanted: readonly string[],
  termOf: (token: Token) => string,
  statistics: TermStatistics,
  reaches: readonly number[],
): Float64Array[] {
  const terms = [...new Set(wanted)];
  const index = new Map(terms.map((term, at) => [term, at]));
  const weight = terms.map((term) => termWeight(term, statistics));
  const best = weight.reduce((sum, one) => sum + one * (K1 + 1), 0);
  const count = passages.length;
  const sums = terms.map(() => new Float64Array(count + 1));
  const lengths = new Float64Array(count + 1);
  tokens.forEach((list, at) => {
    for (const sum of sums) sum[at + 1] = sum[at] ?? 0;
    lengths[at + 1] = (lengths[at] ?? 0) + list.length;
    for (const token of list) {
      const sum = sums[index.get(termOf(token)) ?? -1];
      if (sum !== undefined) sum[at + 1] = (sum[at + 1] ?? 0) + 1;
    }
  });
  const averageLength = Math.max(1, (lengths[count] ?? 0) / Math.max(1, count));
  return reaches.map((reach) => {
    const scores = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const [from, to] = contextOf(passages, at, reach);
      const length = (lengths[to] ?? 0) - (lengths[from] ?? 0);
      const norm = K1 * (1 - B + (B * length) / (averageLength * (2 * reach + 1)));
      let score = 0;
      for (let term = 0; term < terms.length; term++) {
        const frequency = (sums[term]?.[to] ?? 0) - (sums[term]?.[from] ?? 0);
        if (frequency > 0) score += ((weight[term] ?? 0) * frequency * (K1 + 1)) / (frequency + norm);
      }
      scores[at] = best > 0 ? score / best : 0;
    }
    return scores;
  });
}

/** Index range of the passages within `reach` positions: gaps between candidates end a context. */
function contextOf(passages: readonly CandidatePassage[], at: number, reach: number): [from: number, to: number] {
  const position = passages[at]?.position ?? 0;
  let from = at;
  while (from > 0 && position - (passages[from - 1]?.position ?? 0) <= reach) from -= 1;
  let to = at + 1;
  while (to < passages.length && (passages[to]?.position ?? 0) - position <= reach) to += 1;
  return [from, to];
}

/** Share of the question's neighbouring pairs of words that stand together in a passage or one beside it. */
function pairScores(
  passages: readonly CandidatePassage[],
  tokens: readonly Token[][],
  wanted: readonly Token[],
  statistics: TermStatistics,
): Float64Array {
  const scores = new Float64Array(passages.length);
  const pairs = new Map<string, number>();
  for (let at = 1; at < wanted.length; at++) {
    const first = wanted[at - 1]?.stem ?? '';
    const second = wanted[at]?.stem ?? '';
    pairs.set(`${first} ${second}`, termWeight(first, statistics) + termWeight(second, statistics));
  }
  const best = [...pairs.values()].reduce((sum, weight) => sum + weight, 0);
  if (best === 0) return scores;
  const held = tokens.map((list) => {
    const found = new Set<string>();
    for (let at = 1; at < list.length; at++) {
      for (let back = 1; back <= PAIR_DISTANCE && back <= at; back++) {
        const pair = `${list[at - back]?.stem} ${list[at]?.stem}`;
        if (pairs.has(pair)) found.add(pair);
      }
    }
    return found;
  });
  for (let at = 0; at < passages.length; at++) {
    const [from, to] = contextOf(passages, at, 1);
    const found = new Set<string>();
    for (let near = from; near < to; near++) for (const pair of held[near] ?? []) found.add(pair);
    for (const pair of found) scores[at] = (scores[at] ?? 0) + (pairs.get(pair) ?? 0) / best;
  }
  return scores;
}

/** Words apart that still count as together: a stop word or two may stand between them. */
const PAIR_DISTANCE = 3;

/** Speakers whose name the question holds. Their names say who, not what: they are no search terms. */
function namedSpeakers(
  query: Query,
  passages: readonly CandidatePassage[],
): { names: Set<string>; words: Set<string> } {
  const spoken = new Set(passages.map((passage) => passage.speaker));
  const names = new Set<string>();
  const words = new Set<string>();
  const questionWords = new Set(query.tokens.map((token) => token.word));
  for (const speaker of spoken) {
    const parts = foldText(speaker).split(/\s+/);
    if (!parts.every((part) => questionWords.has(part))) continue;
    names.add(speaker);
    for (const part of parts) words.add(part);
  }
  // Two names tell nothing about who of them said it.
  if (names.size > 1) names.clear();
  return { names, words };
}
