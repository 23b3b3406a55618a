/** Makes good what a compression could not finish: chunks that failed, vectors that no connection gave at the time. */
import type { JobDefinition } from './definition';

export interface MemoryUpkeepDependencies {
  compressions: { repairChunks(): Promise<number> };
  memory: { embedPending(signal: AbortSignal): Promise<number> };
}

/** Milliseconds that one pass of embedding may take; the next one goes on. */
const EMBED_PASS_MS = 45_000;

export const memoryUpkeepJob = {
  name: 'memory-upkeep',
  cron: '* * * * *',
} as const satisfies JobDefinition;

export function createMemoryUpkeep({ compressions, memory }: MemoryUpkeepDependencies) {
  return async (): Promise<void> => {
    await compressions.repairChunks();
    await memory.embedPending(AbortSignal.timeout(EMBED_PASS_MS));
  };
}
