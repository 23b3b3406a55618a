/** The only code that knows the vectors of chunks. */
import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { sketchOf } from './engine/vectors';

export interface ChunkVector {
  id: number;
  vector: Float32Array;
}

export function createEmbeddingStore(prisma: PrismaClient) {
  return {
    /** Chunks after `afterId` without a vector of this model; of another length than `dimensions` counts as none. Oldest first. */
    async findUnembedded(input: {
      model: string;
      dimensions: number | null;
      afterId: number;
      limit: number;
    }): Promise<{ id: number; content: string }[]> {
      const { model, dimensions, afterId, limit } = input;
      const isOther =
        dimensions === null
          ? Prisma.empty
          : Prisma.sql`OR (e.vector IS NOT NULL AND length(e.sketch) <> ${dimensions})`;
      return prisma.$queryRaw<{ id: number; content: string }[]>`
        SELECT c.id, c.content FROM memory_chunks c
        JOIN sessions s ON s.id = c.session_id AND s.removed_at IS NULL
        LEFT JOIN memory_embeddings e ON e.chunk_id = c.id
        WHERE c.id > ${afterId} AND (e.chunk_id IS NULL OR e.model <> ${model} ${isOther})
        ORDER BY c.id LIMIT ${limit}`;
    },

    /** Stores the vector of a chunk in place of an older one; nothing when the chunk is gone. Null: the model refuses its text. */
    async write(chunkId: number, model: string, vector: Float32Array | null): Promise<void> {
      const sketch = vector === null ? '' : sketchOf(vector);
      const bytes = vector === null ? null : new Uint8Array(Float32Array.from(vector).buffer);
      await prisma.$executeRaw`
        INSERT INTO memory_embeddings (chunk_id, session_id, model, sketch, vector)
        SELECT c.id, c.session_id, ${model}, ${sketch}::varbit, ${bytes}::bytea FROM memory_chunks c WHERE c.id = ${chunkId}
        ON CONFLICT (chunk_id) DO UPDATE SET model = excluded.model, sketch = excluded.sketch, vector = excluded.vector`;
    },

    /** The `limit` vectors of a session with the nearest sketches; only of the model and the length of `vector`. */
    async findNearest(sessionId: string, model: string, vector: Float32Array, limit: number): Promise<ChunkVector[]> {
      const rows = await prisma.$queryRaw<{ id: number; vector: Uint8Array }[]>`
        SELECT e.chunk_id AS id, e.vector FROM memory_embeddings e
        WHERE e.session_id = ${sessionId} AND e.model = ${model} AND e.vector IS NOT NULL AND length(e.sketch) = ${vector.length}
        ORDER BY bit_count(e.sketch # ${sketchOf(vector)}::varbit), e.chunk_id DESC LIMIT ${limit}`;
      // A fresh copy: the driver's bytes may not be aligned to floats.
      return rows.map((row) => ({ id: row.id, vector: new Float32Array(new Uint8Array(row.vector).buffer) }));
    },
  };
}

export type EmbeddingStore = ReturnType<typeof createEmbeddingStore>;
