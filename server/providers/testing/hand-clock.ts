import type { Clock } from '../../lib/clock';

/** A clock that moves only when it is told to: what is measured in its time is the same on a machine that stands still. */
export function createHandClock() {
  let nowMs = 0;
  const sleepers = new Set<{ atMs: number; wake(): void }>();
  const clock: Clock = {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', onAbort);
      }),
  };
  return {
    clock,
    /** Whoever sleeps by this clock now. */
    sleepers,
    /** Wakes whose time has come, and lets them act. */
    async advance(ms: number) {
      nowMs += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.atMs > nowMs) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
