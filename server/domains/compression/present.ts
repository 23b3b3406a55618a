import type { Compression, LiveCompression } from './schema';
import type { StoredCompression } from './store';
import { explain } from './words';

/** A compression as it is shown. */
export function toCompression(stored: StoredCompression): Compression {
  const {
    sessionId: _session,
    runId: _run,
    coveredSequences,
    hasChunks: _chunks,
    createdAt,
    undoneAt,
    ...rest
  } = stored;
  return {
    ...rest,
    explanation: explain(stored),
    coveredCount: coveredSequences.length,
    createdAt: createdAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}

/** One that runs, as its live card is shown. */
export function toLive(stored: StoredCompression): LiveCompression {
  const { id, trigger, model, focus, windowTokens, tokensBefore, messagesBefore, createdAt } = stored;
  return {
    compressionId: id,
    trigger,
    model,
    focus,
    windowTokens,
    tokensBefore,
    messagesBefore,
    startedAt: createdAt.toISOString(),
  };
}
