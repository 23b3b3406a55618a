/** What a process uses, from `/proc` (Linux). */
import { readFileSync } from 'node:fs';

/** Memory in MB, shared pages by their share (PSS). */
export function memoryOf(processId: number): number {
  const rollup = readFileSync(`/proc/${processId}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

/** Clock ticks per second of `/proc`, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor time spent so far, user and system. */
export function cpuSecondsOf(processId: number): number {
  // The name, which may hold spaces, ends at the last parenthesis.
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Milliseconds between two looks at the memory of a process. */
const SAMPLE_MS = 50;

/** The most that a process grows from now on; `stop` answers it, in MB. */
export function watchMemory(processId: number): { beforeMb: number; stop(): number } {
  const beforeMb = memoryOf(processId);
  let peakMb = beforeMb;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(processId));
  }, SAMPLE_MS);
  return {
    beforeMb,
    stop() {
      clearInterval(sampling);
      return peakMb - beforeMb;
    },
  };
}
