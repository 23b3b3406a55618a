/** How long to wait before the next attempt to reach the server. */

/** Longest wait, in milliseconds. */
const MAX_DELAY_MS = 5_000;
/** A connection that broke sooner than this never worked, in milliseconds: a server that still starts takes them and drops them. */
const STEADY_MS = 5_000;

export interface BackOff {
  opened(): void;
  closed(): void;
  /** Milliseconds to wait before attempt number `attempt` (from 0) since the connection broke: none after one that worked. */
  delayMs(attempt: number): number;
}

/** Counts failures across connections, those that opened and broke at once included. `now` in milliseconds. */
export function createBackOff(now: () => number = () => performance.now()): BackOff {
  let openedAt: number | null = null;
  let shortLived = 0;
  return {
    opened() {
      openedAt = now();
    },
    closed() {
      if (openedAt === null) return;
      shortLived = now() - openedAt < STEADY_MS ? shortLived + 1 : 0;
      openedAt = null;
    },
    delayMs(attempt) {
      // A network that changed breaks a connection that is only seconds old, too: the first of these costs nothing.
      const failures = attempt + Math.max(0, shortLived - 1);
      return failures === 0 ? 0 : Math.min(MAX_DELAY_MS, 250 * 2 ** failures);
    },
  };
}
