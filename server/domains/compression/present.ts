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
    coveredRanges: rangesOf(coveredSequences),
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

/** Ascending numbers as inclusive ranges: a long history stays a short list. */
export function rangesOf(sequences: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const sequence of [...sequences].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && sequence <= last[1] + 1) last[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}
