/** The only code that knows the raw index: chunks, and how many of them hold a term. */
import * as z from 'zod';
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { storable } from '../../lib/text';
import type { Chunk, Passage } from './engine/chunk';
import type { DateRange } from './engine/date-cues';
import { DATE_LOOKUP_WEIGHT, MAX_POSTINGS } from './engine/lookup';

type Client = Prisma.TransactionClient | PrismaClient;

export interface ChunkDraft extends Chunk {
  compressionId: string;
  contentHash: string;
  breadcrumbs: string[];
  /** Hashes of its distinct terms. */
  terms: number[];
}

export interface StoredChunk {
  id: number;
  sessionId: string;
  firstSequence: number;
  lastSequence: number;
  startedAt: Date;
  endedAt: Date;
  passages: Passage[];
}

export interface ChunkFilter {
  after?: Date | undefined;
  before?: Date | undefined;
}

/** What one term is worth in the first stage of a search. */
export interface WeightedTerm {
  term: number;
  weight: number;
}

const passagesSchema = z.array(
  z.object({ sequenceNumber: z.number(), speaker: z.string(), createdAt: z.string(), chars: z.number() }),
);
/** Rows of one insert: their values must stay below the limit of parameters. */
const INSERT_ROWS = 400;
/** Chunks of each span of time that a question names which are looked at, whatever they say. */
const DATED_CHUNKS = 200;
/** Chunks whose full score is worked out, of those that hold a wanted term. */
const SHORT_LIST = 64;

interface ChunkRow extends Omit<StoredChunk, 'passages'> {
  content: string;
  passages: unknown;
}

const columns = Prisma.sql`c.id, c.session_id AS "sessionId", c.first_sequence AS "firstSequence", c.last_sequence AS "lastSequence",
  c.started_at AS "startedAt", c.ended_at AS "endedAt", c.content, c.passages`;

/** Cuts the verbatim content into its passages again: they stand one after the other, a line feed between two. */
function toChunk({ content, passages, ...row }: ChunkRow): StoredChunk {
  let at = 0;
  return {
    ...row,
    passages: passagesSchema.parse(passages).map(({ chars, ...passage }) => {
      const text = content.slice(at, at + chars);
      at += chars + 1;
      return { ...passage, text };
    }),
  };
}

const within = ({ after, before }: ChunkFilter): Prisma.Sql =>
  Prisma.sql`${after === undefined ? Prisma.empty : Prisma.sql`AND c.ended_at >= ${after}`}
    ${before === undefined ? Prisma.empty : Prisma.sql`AND c.started_at <= ${before}`}`;

export function createMemoryStore(prisma: PrismaClient) {
  return {
    /**
     * Appends chunks; those that are there already are left alone. `totalTerm` counts the chunks themselves. Behind a
     * savepoint: when it fails nothing of it stays, the transaction goes on, and the error is answered.
     */
    async append(
      tx: Transaction,
      sessionId: string,
      chunks: readonly ChunkDraft[],
      totalTerm: number,
    ): Promise<{ error: unknown } | null> {
      await tx.client.$executeRaw`SAVEPOINT memory_chunks`;
      try {
        for (let at = 0; at < chunks.length; at += INSERT_ROWS) {
          const added = await tx.client.memoryChunk.createManyAndReturn({
            data: chunks.slice(at, at + INSERT_ROWS).map(({ passages, breadcrumbs, ...chunk }) => {
              const texts = passages.map((passage) => storable(passage.text));
              return {
                ...chunk,
                sessionId,
                breadcrumbs: breadcrumbs.map(storable),
                content: texts.join('\n'),
                passages: passages.map(({ sequenceNumber, speaker, createdAt }, index) => ({
                  sequenceNumber,
                  speaker: storable(speaker),
                  createdAt,
                  chars: texts[index]?.length ?? 0,
                })),
              };
            }),
            skipDuplicates: true,
            select: { terms: true },
          });
          if (added.length === 0) continue;
          const counts = new Map<number, number>([[totalTerm, added.length]]);
          for (const { terms } of added) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
          const terms = [...counts.keys()].sort((a, b) => a - b);
          await tx.client.$executeRaw`
            INSERT INTO memory_terms (session_id, term, chunks)
            SELECT ${sessionId}, t.term, t.chunks
            FROM unnest(${terms}::int[], ${terms.map((term) => counts.get(term) ?? 0)}::int[]) AS t(term, chunks)
            ON CONFLICT (session_id, term) DO UPDATE SET chunks = memory_terms.chunks + excluded.chunks`;
        }
        await tx.client.$executeRaw`RELEASE SAVEPOINT memory_chunks`;
        return null;
      } catch (error) {
        await tx.client.$executeRaw`ROLLBACK TO SAVEPOINT memory_chunks`;
        return { error };
      }
    },

    /** How many chunks of a session hold each of these terms. */
    async readCounts(sessionId: string, terms: readonly number[]): Promise<Map<number, number>> {
      const rows = await prisma.$queryRaw<{ term: number; chunks: number }[]>`
        SELECT term, chunks FROM memory_terms WHERE session_id = ${sessionId} AND term = ANY(${terms}::int[])`;
      return new Map(rows.map(({ term, chunks }) => [term, chunks]));
    },

    /**
     * The chunks that hold the most of what is asked for: any of `anyOf`, and what they hold of `others` counts as well.
     * Best first. With `neighbours`, the chunks right before and after each come along.
     */
    async findCandidates(
      sessionId: string,
      terms: {
        anyOf: readonly WeightedTerm[];
        others: readonly WeightedTerm[];
        dates: readonly DateRange[];
        isNewestOnly: boolean;
      },
      limit: number,
      filter: ChunkFilter = {},
    ): Promise<StoredChunk[]> {
      const { anyOf, others, dates } = terms;
      if (anyOf.length === 0 && dates.length === 0) return [];
      // A word that is everywhere would touch the whole history: then the newest chunks stand for it.
      const source = terms.isNewestOnly
        ? Prisma.sql`(SELECT id, session_id, terms, started_at, ended_at FROM memory_chunks WHERE session_id = ${sessionId}
            ORDER BY first_sequence DESC LIMIT ${MAX_POSTINGS})`
        : Prisma.sql`memory_chunks`;
      const ranges = Prisma.sql`unnest(${dates.map(({ from }) => from)}::timestamptz[], ${dates.map(({ to }) => to)}::timestamptz[],
        ${dates.map(({ weight }) => weight * DATE_LOOKUP_WEIGHT)}::float8[]) AS r(began, ended, weight)`;
      const ofTime =
        dates.length === 0
          ? Prisma.empty
          : Prisma.sql`UNION ALL SELECT p.id, p.started_at, 0 FROM ${ranges} CROSS JOIN LATERAL (
              SELECT c.id, c.started_at FROM memory_chunks c
              WHERE c.session_id = ${sessionId} AND c.started_at >= r.began AND c.started_at < r.ended ${within(filter)}
              ORDER BY c.started_at DESC LIMIT ${DATED_CHUNKS}) p`;
      const timeScore =
        dates.length === 0
          ? Prisma.sql`0`
          : Prisma.sql`coalesce((SELECT max(r.weight) FROM ${ranges} WHERE p.started_at >= r.began AND p.started_at < r.ended), 0)`;
      // A look per term, not a union of one statement each: that PostgreSQL gives to parallel workers, which take ten times
      // as long to start as the whole takes.
      const rows = await prisma.$queryRaw<ChunkRow[]>`
        WITH postings AS (
          SELECT p.id, p.started_at, t.weight
          FROM unnest(${anyOf.map(({ term }) => term)}::int[], ${anyOf.map(({ weight }) => weight)}::float8[]) AS t(term, weight)
          CROSS JOIN LATERAL (
            SELECT c.id, c.started_at FROM ${source} c
            WHERE c.terms @> ARRAY[t.term] AND c.session_id = ${sessionId} ${within(filter)} OFFSET 0
          ) p ${ofTime}
        ), short AS (
          SELECT p.id, sum(p.weight) + ${timeScore} AS score FROM postings p
          GROUP BY p.id, p.started_at ORDER BY score DESC, p.id DESC LIMIT ${SHORT_LIST}
        ), best AS (
          SELECT c.id, c.first_sequence, c.last_sequence FROM short s JOIN memory_chunks c ON c.id = s.id
          ORDER BY s.score + coalesce((
            SELECT sum(o.weight) FROM unnest(${others.map(({ term }) => term)}::int[], ${others.map(({ weight }) => weight)}::float8[])
              AS o(term, weight) WHERE o.term = ANY(c.terms)
          ), 0) DESC, c.id DESC LIMIT ${limit}
        ), wanted AS (
          SELECT id FROM best
          UNION SELECT n.id FROM best b CROSS JOIN LATERAL (
            SELECT c.id FROM memory_chunks c WHERE c.session_id = ${sessionId} AND c.first_sequence > b.last_sequence
            ORDER BY c.first_sequence, c.id LIMIT 1) n
          UNION SELECT n.id FROM best b CROSS JOIN LATERAL (
            SELECT c.id FROM memory_chunks c WHERE c.session_id = ${sessionId} AND c.first_sequence < b.first_sequence
            ORDER BY c.first_sequence DESC, c.id DESC LIMIT 1) n
        )
        SELECT ${columns} FROM wanted w JOIN memory_chunks c ON c.id = w.id ORDER BY c.first_sequence, c.id`;
      return rows.map(toChunk);
    },

    /** Chunks by id, by sequence. */
    async readChunks(ids: readonly number[]): Promise<StoredChunk[]> {
      const rows = await prisma.$queryRaw<ChunkRow[]>`
        SELECT ${columns} FROM memory_chunks c WHERE c.id = ANY(${ids}::int[]) ORDER BY c.first_sequence, c.id`;
      return rows.map(toChunk);
    },

    /** The newest chunks, newest first. */
    async readNewest(sessionId: string, limit: number, filter: ChunkFilter = {}): Promise<StoredChunk[]> {
      const rows = await prisma.$queryRaw<ChunkRow[]>`
        SELECT ${columns} FROM memory_chunks c WHERE c.session_id = ${sessionId} ${within(filter)}
        ORDER BY c.first_sequence DESC, c.id DESC LIMIT ${limit}`;
      return rows.map(toChunk);
    },

    async hasChunks(sessionId: string): Promise<boolean> {
      return (await prisma.memoryChunk.findFirst({ where: { sessionId }, select: { id: true } })) !== null;
    },

    /** Other sessions of the same person that have chunks, newest activity first. */
    async listOtherSessions(
      userId: string,
      exceptSessionId: string,
      limit: number,
    ): Promise<{ id: string; name: string | null; salt: string | null }[]> {
      return prisma.$queryRaw<{ id: string; name: string | null; salt: string | null }[]>`
        SELECT s.id, s.name, s.session_metadata->>'memory_salt' AS salt FROM sessions s
        WHERE s.user_id = ${userId} AND s.id <> ${exceptSessionId} AND s.removed_at IS NULL
          AND EXISTS (SELECT 1 FROM memory_chunks c WHERE c.session_id = s.id)
        ORDER BY s.last_active DESC LIMIT ${limit}`;
    },

    /** What was said lately in other sessions of the same person, newest sessions first. */
    async readOtherMessages(
      userId: string,
      exceptSessionId: string,
      limits: { sessions: number; messagesEach: number },
      filter: ChunkFilter,
    ): Promise<
      {
        sessionId: string;
        name: string | null;
        sequenceNumber: number;
        role: string;
        content: string;
        createdAt: Date;
      }[]
    > {
      const { after, before } = filter;
      return prisma.$queryRaw`
        SELECT s.id AS "sessionId", s.name, m.sequence_number AS "sequenceNumber", m.role::text AS role, m.content,
               m.created_at AS "createdAt"
        FROM (
          SELECT id, name, last_active FROM sessions
          WHERE user_id = ${userId} AND id <> ${exceptSessionId} AND removed_at IS NULL AND display_message_count > 0
          ORDER BY last_active DESC LIMIT ${limits.sessions}
        ) s CROSS JOIN LATERAL (
          SELECT * FROM session_messages m
          WHERE m.session_id = s.id AND m.is_display AND m.is_context AND m.superseded_by IS NULL AND m.content <> ''
            AND m.role IN ('user', 'assistant')
            ${after === undefined ? Prisma.empty : Prisma.sql`AND m.created_at >= ${after}`}
            ${before === undefined ? Prisma.empty : Prisma.sql`AND m.created_at <= ${before}`}
          ORDER BY m.sequence_number DESC LIMIT ${limits.messagesEach}
        ) m ORDER BY s.last_active DESC, m.sequence_number`;
    },

    /**
     * Copies the chunks whose messages a fork has, under the fork's own compressions where these came along. By messages, not
     * by compression: what was compressed twice, after an undo or on two branches, has its chunks from the first time only.
     */
    async copy(
      tx: Transaction,
      fromSessionId: string,
      toSessionId: string,
      compressionIds: ReadonlyMap<string, string>,
    ): Promise<void> {
      const from = [...compressionIds.keys()];
      const to = from.map((id) => compressionIds.get(id) ?? '');
      const copied = Prisma.sql`content_hash, content, passages, first_sequence, last_sequence, first_turn, last_turn, started_at, ended_at,
        breadcrumbs, terms`;
      const has = (sequence: Prisma.Sql) => Prisma.sql`
        (EXISTS (SELECT 1 FROM session_messages m WHERE m.session_id = ${toSessionId} AND m.sequence_number = ${sequence})
        OR EXISTS (SELECT 1 FROM session_messages_archive m WHERE m.session_id = ${toSessionId} AND m.sequence_number = ${sequence}))`;
      await tx.client.$executeRaw`
        INSERT INTO memory_chunks (session_id, compression_id, ${copied})
        SELECT ${toSessionId}, i.new_id, ${copied} FROM memory_chunks c
        LEFT JOIN unnest(${from}::text[], ${to}::text[]) AS i(old_id, new_id) ON i.old_id = c.compression_id
        WHERE c.session_id = ${fromSessionId} AND ${has(Prisma.sql`c.first_sequence`)} AND ${has(Prisma.sql`c.last_sequence`)}
        ORDER BY c.id`;
      await tx.client.$executeRaw`
        INSERT INTO memory_embeddings (chunk_id, session_id, model, sketch, vector)
        SELECT n.id, n.session_id, e.model, e.sketch, e.vector FROM memory_chunks n
        JOIN memory_chunks c ON c.session_id = ${fromSessionId} AND c.content_hash = n.content_hash
        JOIN memory_embeddings e ON e.chunk_id = c.id WHERE n.session_id = ${toSessionId}`;
    },

    /** Counts the terms of a session afresh. */
    async recount(tx: Transaction, sessionId: string, totalTerm: number): Promise<void> {
      await tx.client.$executeRaw`DELETE FROM memory_terms WHERE session_id = ${sessionId}`;
      await tx.client.$executeRaw`
        INSERT INTO memory_terms (session_id, term, chunks)
        SELECT ${sessionId}, t.term, count(*)::int FROM memory_chunks c CROSS JOIN LATERAL unnest(c.terms) AS t(term)
        WHERE c.session_id = ${sessionId} AND t.term <> ${totalTerm} GROUP BY t.term
        UNION ALL SELECT ${sessionId}, ${totalTerm}, count(*)::int FROM memory_chunks WHERE session_id = ${sessionId}`;
    },

    /** The fork's ids of chunks that its source knows by these ids. */
    async mapIds(
      client: Client,
      fromSessionId: string,
      toSessionId: string,
      ids: readonly number[],
    ): Promise<Map<number, number>> {
      const rows = await client.$queryRaw<{ old: number; new: number }[]>`
        SELECT o.id AS old, n.id AS new FROM memory_chunks o
        JOIN memory_chunks n ON n.session_id = ${toSessionId} AND n.content_hash = o.content_hash
        WHERE o.session_id = ${fromSessionId} AND o.id = ANY(${ids}::int[])`;
      return new Map(rows.map((row) => [row.old, row.new]));
    },
  };
}

export type MemoryStore = ReturnType<typeof createMemoryStore>;
