/**
 * What left a context and can be found again: the raw index of each session, written verbatim and never rewritten. Reads
 * name an owner, as every read does; tools pass the owner of the session they run in.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '../../database/transaction';
import type { Clock } from '../../lib/clock';
import type { Person } from '../../lib/person';
import type { KvStore } from '../kv/store';
import type { Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import type { EmbeddingStore } from './embedding-store';
import { createEmbeddings, type Embedder } from './embeddings';
import { extractBreadcrumbs } from './engine/breadcrumbs';
import { type Chunk, chunkHashInput, chunkMessages, messageText } from './engine/chunk';
import { type Excerpt, selectExcerpts } from './engine/select';
import { distinctTerms, hashTerm } from './engine/term-statistics';
import { createTokeniser } from './engine/tokenise';
import { createLookup, holds, totalTermOf } from './lookup';
import { createOtherSessions } from './other-sessions';
import type { MemoryHit, ReadMemoryInput, SearchMemoryInput } from './schema';
import type { ChunkDraft, ChunkFilter, MemoryStore, StoredChunk } from './store';

export interface MemorySettings {
  /** Whether what leaves a context is indexed at all (`memory_search_enabled`). */
  isSearchEnabled: boolean;
  isRecallEnabled: boolean;
  /** Excerpts that one turn may recall. */
  recallK: number;
  /** 0 to 1; below it nothing is recalled. */
  recallMinSimilarity: number;
}

export interface MemoryServiceDependencies {
  store: MemoryStore;
  embeddings: EmbeddingStore;
  sessions: SessionService;
  messages: MessageService;
  kv: Pick<KvStore, 'searchValues'>;
  clock: Clock;
  settings: MemorySettings;
  embedder(): Promise<Embedder | null>;
  reportUnexpected(error: unknown): void;
}

/** An excerpt that memory recall brings into the context. */
export interface RecalledExcerpt extends Excerpt {
  chunkIds: number[];
}

/** Scope of the scratchpad in the key-value store (seed 001). */
const SCRATCHPAD_SCOPE = 'scratchpad';
/** Characters that one search returns at most: about 4,000 tokens. */
const SEARCH_CHARS = 16_000;
/** Characters of one sketch in a list of hits. */
const SKETCH_CHARS = 2_000;
/** Most breadcrumbs that one chunk carries. */
const MAX_CHUNK_BREADCRUMBS = 12;
/** Chunks that recall reads: it wants the best two, and every turn waits for it. */
const RECALL_CANDIDATES = 16;

export function createMemoryService(dependencies: MemoryServiceDependencies) {
  const { store, sessions, messages, kv, clock, settings, embedder, reportUnexpected } = dependencies;
  const tokeniser = createTokeniser();
  const embeddings = createEmbeddings({ store: dependencies.embeddings, clock, embedder });
  const lookup = createLookup({ store, tokeniser, clock, embeddings });
  const others = createOtherSessions({ store, lookup, tokeniser, clock });

  const saltOf = (session: Pick<StoredSession, 'id' | 'metadata'>): string =>
    session.metadata.memory_salt ?? session.id;

  /** `occurrence` counts chunks of one range with the same words: a long message may repeat itself. */
  function toDraft(
    chunk: Chunk,
    {
      salt,
      compressionId,
      source,
      occurrence,
    }: { salt: string; compressionId: string; source: readonly Message[]; occurrence: number },
  ): ChunkDraft {
    const { passages, ...range } = chunk;
    const tokens = passages.flatMap((passage) => tokeniser.tokens(passage.text));
    const own = source.filter((message) => holds(chunk, message.sequenceNumber));
    return {
      ...range,
      passages,
      compressionId,
      contentHash: createHash('sha256')
        .update(occurrence === 0 ? chunkHashInput(chunk) : `${chunkHashInput(chunk)}\n#${occurrence}`)
        .digest('hex'),
      breadcrumbs: extractBreadcrumbs(own.map(messageText)).slice(0, MAX_CHUNK_BREADCRUMBS),
      terms: [...new Set(distinctTerms(tokens).map((term) => hashTerm(salt, term)))],
    };
  }

  const filterOf = (input: Pick<SearchMemoryInput, 'after' | 'before'>): ChunkFilter => ({
    after: input.after === undefined ? undefined : new Date(input.after),
    before: input.before === undefined ? undefined : new Date(input.before),
  });

  async function searchRaw(session: StoredSession, input: SearchMemoryInput): Promise<MemoryHit[]> {
    const place = { scope: 'raw' as const, sessionId: session.id, sessionName: session.name, section: null };
    if (input.query.trim() === '') {
      const newest = await store.readNewest(session.id, input.limit, filterOf(input));
      return newest.map((chunk) => ({ ...place, ...rangeOf(chunk), text: textOf(chunk), similarity: null }));
    }
    const { ranked } = await lookup.rank({ id: session.id, salt: saltOf(session) }, input.query, filterOf(input));
    const excerpts = selectExcerpts(ranked, { budgetChars: SEARCH_CHARS, maxExcerpts: input.limit });
    return excerpts.map((excerpt) => ({ ...place, ...excerpt }));
  }

  async function searchSketches(session: StoredSession, input: SearchMemoryInput): Promise<MemoryHit[]> {
    const terms = input.query.split(/\s+/).filter((term) => term !== '');
    const found = await kv.searchValues({
      userId: session.userId,
      scope: SCRATCHPAD_SCOPE,
      terms,
      limit: input.limit,
      preferSessionId: session.id,
    });
    const { after, before } = filterOf(input);
    return found
      .filter(({ updatedAt }) => {
        const at = new Date(updatedAt);
        return (after === undefined || at >= after) && (before === undefined || at <= before);
      })
      .map(({ sessionId, key, value, updatedAt }) => ({
        scope: 'sketches',
        sessionId,
        sessionName: sessionId === session.id ? session.name : null,
        section: key,
        firstSequence: null,
        lastSequence: null,
        startedAt: updatedAt,
        endedAt: updatedAt,
        text: value.slice(0, SKETCH_CHARS),
        similarity: null,
      }));
  }

  /** By authority of the session itself: a tool that runs in it. */
  async function searchIn(session: StoredSession, input: SearchMemoryInput): Promise<MemoryHit[]> {
    switch (input.scope) {
      case 'raw':
        return searchRaw(session, input);
      case 'sketches':
        return searchSketches(session, input);
      case 'sessions':
        return session.userId === null
          ? []
          : others.search(session.userId, session.id, { ...input, budgetChars: SEARCH_CHARS }, filterOf(input));
    }
  }

  return {
    settings,

    // For people

    async search(person: Person, input: SearchMemoryInput): Promise<{ items: MemoryHit[] }> {
      return { items: await searchIn(await sessions.authorise(person, input.sessionId), input) };
    },

    /** Messages of a range as they were said, whether or not they are in context. */
    async read(person: Person, input: ReadMemoryInput): Promise<{ messages: Message[]; nextFromSeq: number | null }> {
      await sessions.authorise(person, input.sessionId);
      const rows = await messages.readSpan(input.sessionId, input.fromSeq, input.toSeq, input.limit + 1);
      return {
        messages: rows.slice(0, input.limit),
        nextFromSeq: rows.length > input.limit ? (rows[input.limit]?.sequenceNumber ?? null) : null,
      };
    },

    // For the agent

    searchIn,

    /**
     * Excerpts for a new message, best first: similar enough, of chunks that were not recalled already and whose messages are
     * not in the context.
     */
    async recall(
      session: StoredSession,
      input: { text: string; context: readonly Message[]; budgetChars: number },
    ): Promise<RecalledExcerpt[]> {
      const place = { id: session.id, salt: saltOf(session) };
      const { ranked, chunks } = await lookup.rank(place, input.text, {}, RECALL_CANDIDATES);
      const present = new Set(input.context.map((message) => message.sequenceNumber));
      const recalled = new Set(recalledChunkIds(input.context));
      const open = chunks.filter(
        (chunk) =>
          !recalled.has(chunk.id) && chunk.passages.every(({ sequenceNumber }) => !present.has(sequenceNumber)),
      );
      const allowed = ranked.filter((passage) => open.some((chunk) => holds(chunk, passage.sequenceNumber)));
      const excerpts = selectExcerpts(allowed, {
        budgetChars: input.budgetChars,
        minSimilarity: settings.recallMinSimilarity,
        maxExcerpts: settings.recallK,
      });
      return excerpts.map((excerpt) => ({
        ...excerpt,
        chunkIds: open
          .filter((chunk) => chunk.firstSequence <= excerpt.lastSequence && excerpt.firstSequence <= chunk.lastSequence)
          .map((chunk) => chunk.id),
      }));
    },

    // For compressions

    breadcrumbs: (demoted: readonly Message[], keys: readonly string[]): string[] =>
      extractBreadcrumbs(demoted.map(messageText), keys),

    async writeChunks(
      tx: Transaction,
      input: { sessionId: string; compressionId: string; messages: readonly Message[] },
    ): Promise<boolean> {
      if (!settings.isSearchEnabled) return true;
      const session = await sessions.findAny(input.sessionId, tx);
      if (session === null) return true;
      const salt = saltOf(session);
      const { compressionId, messages: source } = input;
      const seen = new Map<string, number>();
      const drafts = chunkMessages(source).map((chunk) => {
        const key = chunkHashInput(chunk);
        const occurrence = seen.get(key) ?? 0;
        seen.set(key, occurrence + 1);
        return toDraft(chunk, { salt, compressionId, source, occurrence });
      });
      const failure = await store.append(tx, input.sessionId, drafts, totalTermOf(salt));
      if (failure !== null) reportUnexpected(failure.error);
      return failure === null;
    },

    async copyChunks(
      tx: Transaction,
      fork: { fromSessionId: string; toSessionId: string; compressionIds: ReadonlyMap<string, string> },
    ): Promise<void> {
      const { fromSessionId, toSessionId, compressionIds } = fork;
      const source = await sessions.findAny(fromSessionId, tx);
      if (source === null || compressionIds.size === 0) return;
      const salt = saltOf(source);
      const copy = await sessions.findAny(toSessionId, tx);
      await sessions.update(tx, toSessionId, { metadata: { ...copy?.metadata, memory_salt: salt } });
      await store.copy(tx, fromSessionId, toSessionId, compressionIds);
      await store.recount(tx, toSessionId, totalTermOf(salt));
      // Recalled excerpts in the fork's context name the source's chunks.
      for (const record of (await messages.readContextIn(tx, toSessionId)).filter(isRecall)) {
        const ids = chunkIdsOf(record);
        const mapped = await store.mapIds(tx.client, fromSessionId, toSessionId, ids);
        await messages.annotate(tx, toSessionId, record.sequenceNumber, {
          metadata: { chunkIds: ids.flatMap((id) => mapped.get(id) ?? []) },
        });
      }
    },

    /** Keeps `injected_chunk_ids` what it says: the chunks of recalled excerpts in the context. */
    async forgetRecalls(tx: Transaction, sessionId: string, context: readonly Message[]): Promise<void> {
      const session = await sessions.findAny(sessionId, tx);
      if (session === null) return;
      const ids = recalledChunkIds(context);
      const before = session.metadata.injected_chunk_ids ?? [];
      if (ids.length === before.length && ids.every((id) => before.includes(id))) return;
      await sessions.update(tx, sessionId, { metadata: { ...session.metadata, injected_chunk_ids: ids } });
    },

    // For jobs

    embedPending: embeddings.embedPending,
  };
}

export type MemoryService = ReturnType<typeof createMemoryService>;

const isRecall = (message: Message): boolean => message.metadata.source === 'memory_recall';

function chunkIdsOf(record: Message): number[] {
  const { chunkIds } = record.metadata;
  return Array.isArray(chunkIds) ? chunkIds.filter((id) => typeof id === 'number') : [];
}

/** Chunks whose excerpts stand in a context. */
export function recalledChunkIds(context: readonly Message[]): number[] {
  return [...new Set(context.filter(isRecall).flatMap(chunkIdsOf))];
}

function rangeOf(chunk: StoredChunk): Pick<MemoryHit, 'firstSequence' | 'lastSequence' | 'startedAt' | 'endedAt'> {
  return {
    firstSequence: chunk.firstSequence,
    lastSequence: chunk.lastSequence,
    startedAt: chunk.startedAt.toISOString(),
    endedAt: chunk.endedAt.toISOString(),
  };
}

const textOf = (chunk: StoredChunk): string => chunk.passages.map((passage) => passage.text).join('\n');
