/** Finds and ranks passages of one session: candidates from the index, similarity from the engine, vectors where there are any. */
import type { Clock } from '../../lib/clock';
import { CANDIDATE_CHUNKS, lookupTerms, planLookup } from './engine/lookup';
import { parseQuery } from './engine/query';
import { type CandidatePassage, type RankedPassage, rankPassages } from './engine/rank';
import { hashTerm, type TermStatistics } from './engine/term-statistics';
import type { Tokeniser } from './engine/tokenise';
import type { ChunkFilter, MemoryStore, StoredChunk } from './store';

/** Turns texts into vectors; null when no connection can. */
export interface Embedder {
  /** Names the model: vectors of different models do not compare. */
  model: string;
  /** Unit vectors, in the order given. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** The pseudo term whose count is the number of chunks: one look at the counts answers everything. */
const TOTAL = '\u0001chunks';
/** Sequence numbers that may lie between two chunks that still stand together: cards and summaries are no passages. */
const ADJACENT_GAP = 4;
/** Positions between passages that do not stand together; wider than any context of the ranking. */
const APART = 1000;
/** Vectors compared per query; about 10 ms. */
const MAX_VECTORS = 20_000;
/** Chunks that similarity of vectors adds to those that words found. */
const VECTOR_CANDIDATES = 12;
/** Part of the vector's similarity in the fused one. Words that match exactly must still win. */
const VECTOR_SHARE = 0.4;
/** Milliseconds that a vector of the question may take; without it words alone decide. */
const EMBED_TIMEOUT_MS = 2_000;

export const totalTermOf = (salt: string): number => hashTerm(salt, TOTAL);

export function createLookup(dependencies: {
  store: MemoryStore;
  tokeniser: Tokeniser;
  clock: Clock;
  embedder(): Promise<Embedder | null>;
}) {
  const { store, tokeniser, clock, embedder } = dependencies;

  /** Cosine similarities of the best chunks; empty without vectors. */
  async function nearest(sessionId: string, text: string): Promise<Map<number, number>> {
    const found = await embedder();
    if (found === null) return new Map();
    const vectors = await store.readEmbeddings(sessionId, found.model, MAX_VECTORS);
    if (vectors.length === 0) return new Map();
    const [question] = await found.embed([text], AbortSignal.timeout(EMBED_TIMEOUT_MS)).catch(() => []);
    if (question === undefined) return new Map();
    const scored = vectors.map(({ id, vector }) => {
      let product = 0;
      for (let at = 0; at < question.length; at++) product += (question[at] ?? 0) * (vector[at] ?? 0);
      return { id, similarity: product };
    });
    scored.sort((a, b) => b.similarity - a.similarity);
    return new Map(scored.slice(0, VECTOR_CANDIDATES).map(({ id, similarity }) => [id, Math.max(0, similarity)]));
  }

  return {
    /** Passages of a session that may answer `text`, each with its similarity; with the chunks they stand in. */
    async rank(
      session: { id: string; salt: string },
      text: string,
      filter: ChunkFilter = {},
      candidates = CANDIDATE_CHUNKS,
    ): Promise<{ ranked: RankedPassage[]; chunks: StoredChunk[] }> {
      const query = parseQuery(text, tokeniser, clock.now().toISOString());
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
      const byWords = await store.findCandidates(session.id, terms, candidates, filter);
      const near = await nearest(session.id, text);
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
