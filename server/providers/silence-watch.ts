/** One sleeper that notices when a model has gone silent. Costs a clock reading per chunk and no timer per chunk. */
import type { Clock } from '../lib/clock';

export type SilencePhase = 'first-byte' | 'idle';

export interface SilenceWatch {
  /** Something came. The first time, the limit changes from the first byte's to the idle one. */
  touch(): void;
  close(): void;
}

export interface SilenceWatchSettings {
  clock: Clock;
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  onSilence(phase: SilencePhase): void;
}

/** Starts watching at once, in the phase before the first byte. Call `close` when done. */
export function watchSilence(settings: SilenceWatchSettings): SilenceWatch {
  const { clock, firstByteTimeoutMs, idleTimeoutMs, onSilence } = settings;
  let touchedAtMs = clock.now().getTime();
  let phase: SilencePhase = 'first-byte';
  let sleeper = new AbortController();

  const watch = async (limitMs: number, signal: AbortSignal) => {
    for (let restMs = limitMs; restMs > 0; restMs = touchedAtMs + limitMs - clock.now().getTime()) {
      try {
        await clock.sleep(restMs, signal);
      } catch {
        return;
      }
      if (signal.aborted) return;
    }
    onSilence(phase);
  };
  void watch(firstByteTimeoutMs, sleeper.signal);

  return {
    touch() {
      touchedAtMs = clock.now().getTime();
      if (phase === 'idle' || sleeper.signal.aborted) return;
      phase = 'idle';
      sleeper.abort();
      sleeper = new AbortController();
      void watch(idleTimeoutMs, sleeper.signal);
    },
    close() {
      sleeper.abort();
    },
  };
}
