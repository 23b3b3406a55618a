/** Search over other sessions of the same person: what was compressed there through its index, what is in context directly. */
import type { Clock } from '../../lib/clock';
import { parseQuery } from './engine/query';
import { type CandidatePassage, rankPassages } from './engine/rank';
import { selectExcerpts } from './engine/select';
import { distinctTerms, type TermStatistics } from './engine/term-statistics';
import type { Tokeniser } from './engine/tokenise';
import type { Lookup } from './lookup';
import type { MemoryHit } from './schema';
import type { ChunkFilter, MemoryStore } from './store';

/** Sessions whose index is asked, newest first: each costs a few milliseconds. */
const MAX_INDEXED_SESSIONS = 20;
/** What is read of sessions' contexts: bounds the search, whatever somebody has written in years. */
const RECENT = { sessions: 60, messagesEach: 40 };
/** Positions between two sessions; wider than any context of the ranking. */
const APART = 1000;

export function createOtherSessions(dependencies: {
  store: MemoryStore;
  lookup: Lookup;
  tokeniser: Tokeniser;
  clock: Clock;
}) {
  const { store, lookup, tokeniser, clock } = dependencies;

  async function searchIndexed(
    userId: string,
    exceptSessionId: string,
    input: { query: string; limit: number; budgetChars: number },
    filter: ChunkFilter,
  ): Promise<MemoryHit[]> {
    const hits: MemoryHit[] = [];
    for (const session of await store.listOtherSessions(userId, exceptSessionId, MAX_INDEXED_SESSIONS)) {
      const { ranked } = await lookup.rank({ id: session.id, salt: session.salt ?? session.id }, input.query, filter);
      const excerpts = selectExcerpts(ranked, { budgetChars: input.budgetChars, maxExcerpts: input.limit });
      for (const excerpt of excerpts) {
        hits.push({ scope: 'sessions', sessionId: session.id, sessionName: session.name, section: null, ...excerpt });
      }
    }
    return hits;
  }

  async function searchRecent(
    userId: string,
    exceptSessionId: string,
    input: { query: string; limit: number; budgetChars: number },
    filter: ChunkFilter,
  ): Promise<MemoryHit[]> {
    const rows = await store.readOtherMessages(userId, exceptSessionId, RECENT, filter);
    const owners: (typeof rows)[number][] = [];
    const passages: CandidatePassage[] = [];
    let position = 0;
    for (const row of rows) {
      if (owners[owners.length - 1]?.sessionId !== row.sessionId) position += APART;
      // Unique over all sessions while it is ranked; turned back into the session's own number afterwards.
      const sequenceNumber = owners.push(row) - 1;
      passages.push({
        sequenceNumber,
        speaker: row.role,
        createdAt: row.createdAt.toISOString(),
        text: row.content,
        position: position++,
      });
    }
    if (input.query.trim() === '') {
      return passages
        .slice(-input.limit)
        .reverse()
        .map((passage) =>
          toHit(owners, {
            ...passage,
            firstSequence: passage.sequenceNumber,
            lastSequence: passage.sequenceNumber,
            startedAt: passage.createdAt,
            endedAt: passage.createdAt,
            similarity: null,
          }),
        );
    }
    const query = parseQuery(input.query, tokeniser, clock.now().toISOString());
    const counts = new Map<string, number>();
    for (const passage of passages) {
      for (const term of distinctTerms(tokeniser.tokens(passage.text))) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const statistics: TermStatistics = { chunkCount: passages.length, chunksWith: (term) => counts.get(term) ?? 0 };
    const ranked = rankPassages({ query, passages, statistics, tokeniser });
    const excerpts = selectExcerpts(ranked, { budgetChars: input.budgetChars, maxExcerpts: input.limit });
    return excerpts.map((excerpt) => toHit(owners, excerpt));
  }

  return {
    /** Best first. Without a query, what was said last. */
    async search(
      userId: string,
      exceptSessionId: string,
      input: { query: string; limit: number; budgetChars: number },
      filter: ChunkFilter,
    ): Promise<MemoryHit[]> {
      const recent = await searchRecent(userId, exceptSessionId, input, filter);
      if (input.query.trim() === '') return recent;
      const indexed = await searchIndexed(userId, exceptSessionId, input, filter);
      const hits = [...recent, ...indexed].sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0));
      let left = input.budgetChars;
      return hits.slice(0, input.limit).filter((hit) => {
        left -= hit.text.length;
        return left >= 0;
      });
    },
  };
}

export type OtherSessions = ReturnType<typeof createOtherSessions>;

function toHit(
  owners: readonly { sessionId: string; name: string | null; sequenceNumber: number }[],
  found: {
    firstSequence: number;
    lastSequence: number;
    startedAt: string;
    endedAt: string;
    text: string;
    similarity: number | null;
  },
): MemoryHit {
  const first = owners[found.firstSequence];
  const last = owners[found.lastSequence];
  return {
    scope: 'sessions',
    sessionId: first?.sessionId ?? '',
    sessionName: first?.name ?? null,
    section: null,
    firstSequence: first?.sequenceNumber ?? null,
    lastSequence: last?.sequenceNumber ?? null,
    startedAt: found.startedAt,
    endedAt: found.endedAt,
    text: found.text,
    similarity: found.similarity,
  };
}
