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

/** Weights of the parts. Those of words are shares of their sum; cues are added as they are. */
export interface RankWeights {
  /** Words of the passage with one passage on each side, two, four, ten. */
  beside: number;
  near: number;
  around: number;
  far: number;
  /** Two query words that stand next to each other here too. */
  pairs: number;
  /** Words of the passage itself that begin like those of the question. */
  prefixes: number;
  /** The named speaker speaks. */
  speaker: number;
  /** The time that was asked for. */
  date: number;
  /** The question asks when, and the passage names a time. */
  time: number;
  /** Share taken off where the passage only asks: questions repeat words, answers hold facts. */
  asking: number;
}

export const rankWeights: RankWeights = {
  beside: 0.65,
  near: 1,
  around: 0.6,
  far: 0.4,
  pairs: 0.6,
  prefixes: 0.55,
  speaker: 0.12,
  date: 0.24,
  time: 0.04,
  asking: 0.1,
};

/** Passages on each side of the four contexts. */
const REACH = [1, 2, 4, 10] as const;
/** Words of a question beyond which only the most telling count. */
const MAX_TERMS = 16;
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
  const asked = query.tokens.filter(
    (token) => !speakers.words.has(token.word) && !(token.isPair && statistics.chunksWith(token.stem) === 0),
  );
  const wanted = mostTelling(asked.length > 0 ? asked : query.tokens, statistics);

  const stems = findTerms(tokens, wanted, stemOf);
  const prefixes = findTerms(tokens, wanted, prefixOf);
  const counted = countTerms(stems, statistics);
  const [beside, near, around, far] = REACH.map((reach) => termScores(passages, counted, reach));
  const begins = termScores(passages, countTerms(prefixes, statistics), 0);
  const pairs = pairScores(passages, stems, wanted, statistics);
  const total = weights.beside + weights.near + weights.around + weights.far + weights.pairs + weights.prefixes;
  const isWhen = asksWhen.test(query.folded);
  return passages.map((passage, at) => {
    const words =
      weights.beside * (beside?.[at] ?? 0) +
      weights.near * (near?.[at] ?? 0) +
      weights.around * (around?.[at] ?? 0) +
      weights.far * (far?.[at] ?? 0) +
      weights.prefixes * (begins[at] ?? 0) +
      weights.pairs * (pairs[at] ?? 0);
    const cues =
      weights.speaker * (speakers.names.has(passage.speaker) ? 1 : 0) +
      weights.date * matchDate(passage.createdAt, query.dates) +
      weights.time * (isWhen && namesTime.test(passage.text) ? 1 : 0);
    const share = passage.text.trimEnd().endsWith('?') ? 1 - weights.asking : 1;
    return { ...passage, similarity: Math.min(1, (words / total + cues) * share) };
  });
}

/**
 * Of a long message, as people write them, the rarest words that the history knows: it asks about a few things and mentions
 * many. A short question keeps all its words; those that are nowhere in the history count against every passage.
 */
function mostTelling(tokens: readonly Token[], statistics: TermStatistics): readonly Token[] {
  if (tokens.length <= MAX_TERMS) return tokens;
  const known = tokens.filter((token) => statistics.chunksWith(token.stem) > 0);
  const rarest = known
    .sort((a, b) => statistics.chunksWith(a.stem) - statistics.chunksWith(b.stem))
    .slice(0, MAX_TERMS);
  return tokens.filter((token) => rarest.includes(token));
}

const asksWhen =
  /^\W*when\b|\bwhat (?:date|year|month|day|time)\b|\bhow long\b|(?:^|\s)когда(?:\s|$)|\bwann\b|什么时候|何时/u;
const namesTime =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week(?:end)?|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|since|recently|\d{4})\b|вчера|сегодня|завтра|назад|недел|месяц|昨天|今天|明天|去年|上周/iu;

const stemOf = (token: Token): string => token.stem;
const prefixOf = (token: Token): string => token.prefix ?? token.stem;

/** Where the terms of a question stand. */
interface FoundTerms {
  terms: string[];
  /** Per passage, per token: index of the term it is, or -1. */
  hits: Int16Array[];
}

function findTerms(tokens: readonly Token[][], wanted: readonly Token[], termOf: (token: Token) => string): FoundTerms {
  const terms = [...new Set(wanted.map(termOf))];
  const index = new Map(terms.map((term, at) => [term, at]));
  const hits = tokens.map((list) => {
    const row = new Int16Array(list.length);
    for (let at = 0; at < list.length; at++) {
      const token = list[at];
      if (token !== undefined) row[at] = index.get(termOf(token)) ?? -1;
    }
    return row;
  });
  return { terms, hits };
}

/** Prefix sums over the passages: the counts of any context are differences of two of them. */
interface CountedTerms {
  weight: number[];
  /** Score of a passage that holds every term again and again. */
  best: number;
  /** Per term: occurrences before each passage. */
  sums: Uint32Array[];
  /** Tokens before each passage. */
  lengths: Float64Array;
}

function countTerms({ terms, hits }: FoundTerms, statistics: TermStatistics): CountedTerms {
  const weight = terms.map((term) => termWeight(term, statistics));
  const sums = terms.map(() => new Uint32Array(hits.length + 1));
  const lengths = new Float64Array(hits.length + 1);
  hits.forEach((own, at) => {
    for (const sum of sums) sum[at + 1] = sum[at] ?? 0;
    lengths[at + 1] = (lengths[at] ?? 0) + own.length;
    for (const hit of own) {
      const sum = hit < 0 ? undefined : sums[hit];
      if (sum !== undefined) sum[at + 1] = (sum[at + 1] ?? 0) + 1;
    }
  });
  return { weight, best: weight.reduce((total, one) => total + one * (K1 + 1), 0), sums, lengths };
}

/** BM25 of every passage with what stands within `reach` of it, as a share of what a passage with all terms would reach. */
function termScores(
  passages: readonly CandidatePassage[],
  { weight, best, sums, lengths }: CountedTerms,
  reach: number,
): Float64Array {
  const count = passages.length;
  const averageLength = Math.max(1, (lengths[count] ?? 0) / Math.max(1, count));
  const scores = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const [from, to] = contextOf(passages, at, reach);
    const length = (lengths[to] ?? 0) - (lengths[from] ?? 0);
    const norm = K1 * (1 - B + (B * length) / (averageLength * (2 * reach + 1)));
    let score = 0;
    for (let term = 0; term < weight.length; term++) {
      const frequency = (sums[term]?.[to] ?? 0) - (sums[term]?.[from] ?? 0);
      if (frequency > 0) score += ((weight[term] ?? 0) * frequency * (K1 + 1)) / (frequency + norm);
    }
    scores[at] = best > 0 ? score / best : 0;
  }
  return scores;
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
  { terms, hits }: FoundTerms,
  wanted: readonly Token[],
  statistics: TermStatistics,
): Float64Array {
  const scores = new Float64Array(passages.length);
  const order = wanted.map((token) => terms.indexOf(token.stem));
  /** Weight of the pair that begins with a term, and the term it goes on with. */
  const follows = new Map<number, { second: number; weight: number }>();
  for (let at = 1; at < order.length; at++) {
    const [first, second] = [order[at - 1] ?? -1, order[at] ?? -1];
    const weight = termWeight(terms[first] ?? '', statistics) + termWeight(terms[second] ?? '', statistics);
    if (first !== second) follows.set(first, { second, weight });
  }
  let best = 0;
  for (const { weight } of follows.values()) best += weight;
  if (best === 0) return scores;
  const held = hits.map((list) => findPairs(list, follows));
  for (let at = 0; at < passages.length; at++) {
    const [from, to] = contextOf(passages, at, 1);
    const found = new Set<number>();
    for (let near = from; near < to; near++) for (const first of held[near] ?? []) found.add(first);
    for (const first of found) scores[at] = (scores[at] ?? 0) + (follows.get(first)?.weight ?? 0) / best;
  }
  return scores;
}

/** First terms of the pairs in one passage. */
function findPairs(list: Int16Array, follows: ReadonlyMap<number, { second: number }>): number[] {
  const found: number[] = [];
  for (let at = 0; at < list.length; at++) {
    const first = list[at] ?? -1;
    const pair = first < 0 ? undefined : follows.get(first);
    if (pair === undefined) continue;
    for (let ahead = at + 1; ahead <= at + PAIR_DISTANCE && ahead < list.length; ahead++) {
      if (list[ahead] === pair.second) found.push(first);
    }
  }
  return found;
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
