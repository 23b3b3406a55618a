/**
 * The whole search over a history that is held in memory: the reference for what the store does in SQL, and what benchmarks
 * and small histories use.
 */
import type { Chunk } from './chunk';
import { matchDate } from './date-cues';
import { CANDIDATE_CHUNKS, DATE_LOOKUP_WEIGHT, lookupScore, NEIGHBOUR_CHUNKS, planLookup } from './lookup';
import { parseQuery, type Query } from './query';
import { type CandidatePassage, type RankedPassage, type RankWeights, rankPassages } from './rank';
import { type Excerpt, type SelectOptions, selectExcerpts } from './select';
import { distinctTerms, type TermStatistics } from './term-statistics';
import type { Tokeniser } from './tokenise';

export interface MemoryIndex {
  /** Ranked passages of the best candidates. */
  rank(query: Query, weights?: RankWeights): RankedPassage[];
  /** The answer to a question, best first. `now` is ISO. */
  search(question: string, now: string, options: SelectOptions): Excerpt[];
  chunkCount: number;
}

export function buildMemoryIndex(chunks: readonly Chunk[], tokeniser: Tokeniser): MemoryIndex {
  const held = chunks.map(
    (chunk) => new Set(distinctTerms(chunk.passages.flatMap((one) => tokeniser.tokens(one.text)))),
  );
  const counts = new Map<string, number>();
  for (const terms of held) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const statistics: TermStatistics = { chunkCount: chunks.length, chunksWith: (term) => counts.get(term) ?? 0 };
  const firstPositions: number[] = [];
  let position = 0;
  for (const chunk of chunks) {
    firstPositions.push(position);
    position += chunk.passages.length;
  }

  function rank(query: Query, weights?: RankWeights): RankedPassage[] {
    const lookup = planLookup(query, statistics);
    const scored = chunks.map((chunk, at) => ({
      at,
      score:
        (lookup === null ? 0 : lookupScore(lookup, held[at] ?? new Set())) +
        matchDate(chunk.startedAt, query.dates) * DATE_LOOKUP_WEIGHT,
    }));
    const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || b.at - a.at);
    const read = new Set<number>();
    for (const { at } of best.slice(0, CANDIDATE_CHUNKS)) {
      for (let near = at - NEIGHBOUR_CHUNKS; near <= at + NEIGHBOUR_CHUNKS; near++) read.add(near);
    }
    const passages: CandidatePassage[] = [];
    for (const at of [...read].sort((a, b) => a - b)) {
      chunks[at]?.passages.forEach((passage, within) => {
        passages.push({ ...passage, position: (firstPositions[at] ?? 0) + within });
      });
    }
    return rankPassages({ query, passages, statistics, tokeniser, ...(weights === undefined ? {} : { weights }) });
  }

  return {
    rank,
    search: (question, now, options) => selectExcerpts(rank(parseQuery(question, tokeniser, now)), options),
    chunkCount: chunks.length,
  };
}
