/** Finds and ranks passages of one session: candidates from the index, similarity from the engine, vectors where there are any. */
import type { Clock } from '../../lib/clock';
import type { Embeddings } from './embeddings';
import { dateRanges } from './engine/date-cues';
import { CANDIDATE_CHUNKS, lookupTerms, planLookup } from './engine/lookup';
import { parseQuery } from './engine/query';
import { type CandidatePassage, type RankedPassage, rankPassages } from './engine/rank';
import { hashTerm, type TermStatistics } from './engine/term-statistics';
import type { Tokeniser } from './engine/tokenise';
import type { ChunkFilter, MemoryStore, StoredChunk } from './store';

/** The pseudo term whose count is the number of chunks: one look at the counts answers everything. */
const TOTAL = '\u0001chunks';
/** Sequence numbers that may lie between two chunks that still stand together: cards and summaries are no passages. */
const ADJACENT_GAP = 4;
/** Positions between passages that do not stand together; wider than any context of the ranking. */
const APART = 1000;
/** Part of the vector's similarity in the fused one. Words that match exactly must still win. */
const VECTOR_SHARE = 0.4;
export const totalTermOf = (salt: string): number => hashTerm(salt, TOTAL);

export function createLookup(dependencies: {
  store: MemoryStore;
  tokeniser: Tokeniser;
  clock: Clock;
  embeddings: Pick<Embeddings, 'nearest'>;
}) {
  const { store, tokeniser, clock, embeddings } = dependencies;

  return {
    /** Passages of a session that may answer `text`, each with its similarity; with the chunks they stand in. */
    async rank(
      session: { id: string; salt: string },
      text: string,
      filter: ChunkFilter = {},
      candidates = CANDIDATE_CHUNKS,
    ): Promise<{ ranked: RankedPassage[]; chunks: StoredChunk[] }> {
      const now = clock.now().toISOString();
      const query = parseQuery(text, tokeniser, now);
      const hashOf = new Map(lookupTerms(query).map((term) => [term, hashTerm(session.salt, term)]));
      const total = totalTermOf(session.salt);
      const counts = await store.readCounts(session.id, [...hashOf.values(), total]);
      const statistics: TermStatistics = {
        chunkCount: counts.get(total) ?? 0,
        chunksWith: (term) => counts.get(hashOf.get(term) ?? 0) ?? 0,
      };
      if (statistics.chunkCount === 0) return { ranked: [], chunks: [] };
      const plan = planLookup(query, statistics);
      const rare = new Set(plan?.anyOf);
      const weigh = (isRare: boolean) =>
        (plan?.weights ?? [])
          .filter(({ term }) => rare.has(term) === isRare)
          .map(({ term, weight }) => ({ term: hashOf.get(term) ?? 0, weight }));
      const terms = { anyOf: weigh(true), others: weigh(false), isNewestOnly: plan?.isNewestOnly ?? false };
      const dates = dateRanges(query.dates, now);
      const [byWords, near] = await Promise.all([
        store.findCandidates(session.id, { ...terms, dates }, candidates, filter),
        embeddings.nearest(session.id, text),
      ]);
      const known = new Set(byWords.map((chunk) => chunk.id));
      const more = [...near.keys()].filter((id) => !known.has(id));
      const byMeaning = more.length === 0 ? [] : (await store.readChunks(more)).filter(fits(filter));
      const chunks = [...byWords, ...byMeaning].sort((a, b) => a.firstSequence - b.firstSequence || a.id - b.id);
      const ranked = rankPassages({ query, passages: toCandidates(chunks), statistics, tokeniser });
      if (near.size === 0) return { ranked, chunks };
      const fused = ranked.map((passage) => {
        const chunk = chunks.find((one) => holds(one, passage.sequenceNumber));
        const similarity = near.get(chunk?.id ?? 0) ?? 0;
        return { ...passage, similarity: (1 - VECTOR_SHARE) * passage.similarity + VECTOR_SHARE * similarity };
      });
      return { ranked: fused, chunks };
    },
  };
}

export type Lookup = ReturnType<typeof createLookup>;

const fits =
  ({ after, before }: ChunkFilter) =>
  (chunk: StoredChunk): boolean =>
    (after === undefined || chunk.endedAt >= after) && (before === undefined || chunk.startedAt <= before);

/** Whether a message is in a chunk's range. */
export const holds = (chunk: Pick<StoredChunk, 'firstSequence' | 'lastSequence'>, sequence: number): boolean =>
  chunk.firstSequence <= sequence && sequence <= chunk.lastSequence;

/** Passages in order, those of chunks that do not stand together far apart. */
function toCandidates(chunks: readonly StoredChunk[]): CandidatePassage[] {
  const passages: CandidatePassage[] = [];
  let position = 0;
  let last: StoredChunk | undefined;
  for (const chunk of chunks) {
    if (last !== undefined && chunk.firstSequence - last.lastSequence > ADJACENT_GAP) position += APART;
    for (const passage of chunk.passages) passages.push({ ...passage, position: position++ });
    last = chunk;
  }
  return passages;
}
