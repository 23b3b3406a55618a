/**
 * What a connection's embedding model adds to the search by words. It may be missing, slow, switched or broken at any
 * moment: then words alone decide, and no turn waits for it twice.
 */
import type { Clock } from '../../lib/clock';
import { startPatientTimeout } from '../../lib/patient-timeout';
import type { EmbeddingStore } from './embedding-store';
import { aboveOrdinary, areVectorsUsable, cosine } from './engine/vectors';

/** Turns texts into vectors; null when no connection can. */
export interface Embedder {
  /** Names the model: vectors of different models do not compare. */
  model: string;
  /** Unit vectors, in the order given. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** Chunks embedded in one call. */
const BATCH = 32;
/** Ids may be committed out of order: a pass begins so far before what was last found complete. */
const LOOK_BACK_IDS = 5_000;
/** Vectors compared per question, those with the nearest sketches: about 1 MB. */
const COMPARED = 256;
/** Chunks that similarity of vectors adds to those that words found. */
const ADDED_CHUNKS = 12;
/** Milliseconds that a vector of the question may take; without it words alone decide. */
const QUESTION_TIMEOUT_MS = 2_000;
/** Tells an endpoint that is down from a text that it refuses. */
const HARMLESS_TEXT = 'Good morning.';
/** Milliseconds for which no question waits for an endpoint that failed. */
const PAUSE_MS = 60_000;

export function createEmbeddings(dependencies: {
  store: EmbeddingStore;
  clock: Clock;
  embedder(): Promise<Embedder | null>;
}) {
  const { store, clock, embedder } = dependencies;
  let pausedUntilMs = 0;
  /** Of each model: the length of its vectors, and the chunk up to which all have one. */
  const known = new Map<string, { dimensions: number | null; doneUpToId: number }>();

  const stateOf = (model: string) => known.get(model) ?? { dimensions: null, doneUpToId: 0 };

  /** Usable vectors, or null. A change of their length, of a model that was replaced under its name, makes every chunk due again. */
  async function ask(found: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[] | null> {
    const vectors = await found.embed(texts, signal).catch(() => []);
    if (!areVectorsUsable(vectors, texts.length)) return null;
    const dimensions = vectors[0]?.length ?? null;
    const before = stateOf(found.model);
    if (before.dimensions !== dimensions) known.set(found.model, { dimensions, doneUpToId: 0 });
    return vectors;
  }

  /**
   * A batch that failed, text by text: one that no model takes must not hold up the others. False when the endpoint takes no
   * text at all; it is asked again by the next pass.
   */
  async function embedSingly(found: Embedder, batch: readonly { id: number; content: string }[], signal: AbortSignal) {
    if ((await ask(found, [HARMLESS_TEXT], signal)) === null) return false;
    for (const { id, content } of batch) {
      const [vector] = (await ask(found, [content], signal)) ?? [];
      if (signal.aborted) return false;
      await store.write(id, found.model, vector ?? null);
    }
    return true;
  }

  return {
    /** Similarities of the nearest chunks above the ordinary, 0 to 1, by chunk id; empty without vectors. */
    async nearest(sessionId: string, text: string): Promise<Map<number, number>> {
      if (clock.now().getTime() < pausedUntilMs) return new Map();
      const found = await embedder();
      if (found === null) return new Map();
      const { signal, clear } = startPatientTimeout(QUESTION_TIMEOUT_MS);
      const [question] = (await ask(found, [text], signal).finally(clear)) ?? [];
      if (question === undefined) {
        pausedUntilMs = clock.now().getTime() + PAUSE_MS;
        return new Map();
      }
      const vectors = await store.findNearest(sessionId, found.model, question, COMPARED);
      const similarities = aboveOrdinary(vectors.map(({ vector }) => cosine(question, vector)));
      return new Map(
        vectors
          .map(({ id }, at) => [id, similarities[at] ?? 0] as const)
          .filter(([, similarity]) => similarity > 0)
          .sort((a, b) => b[1] - a[1])
          .slice(0, ADDED_CHUNKS),
      );
    },

    /** Embeds chunks that have no vector of the present model, a batch at a time. Answers how many; 0 when no connection can. */
    async embedPending(signal: AbortSignal): Promise<number> {
      const found = await embedder();
      if (found === null) return 0;
      const { model } = found;
      let total = 0;
      for (let afterId = Math.max(0, stateOf(model).doneUpToId - LOOK_BACK_IDS); !signal.aborted; ) {
        const { dimensions } = stateOf(model);
        const batch = await store.findUnembedded({ model, dimensions, afterId, limit: BATCH });
        if (batch.length === 0) break;
        const vectors = await ask(
          found,
          batch.map(({ content }) => content),
          signal,
        );
        if (vectors === null) {
          if (!(await embedSingly(found, batch, signal))) return total;
        } else {
          for (const [index, { id }] of batch.entries()) {
            const vector = vectors[index];
            if (vector !== undefined) await store.write(id, model, vector);
          }
        }
        total += batch.length;
        // Where the length changed under way, what was passed over is due again: from the start.
        afterId = stateOf(model).dimensions === dimensions || dimensions === null ? (batch.at(-1)?.id ?? afterId) : 0;
        known.set(model, { ...stateOf(model), doneUpToId: afterId });
      }
      return total;
    },
  };
}

export type Embeddings = ReturnType<typeof createEmbeddings>;
