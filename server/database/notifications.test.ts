import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventRow, keyOf, type Signal } from '../events/bus';
import { payloadsOf } from './notifications';

const id = fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }));
const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({
    topic: fc.constant('session' as const),
    sessionId: fc.oneof(id, fc.constantFrom('a', 'b')),
    lastId: fc.nat(),
    rows: fc.constantFrom<EventRow[] | null>(null, []),
  }),
  fc.record({
    topic: fc.constant('user' as const),
    userId: id,
    sessionId: id,
    change: fc.constantFrom('created' as const, 'updated' as const, 'removed' as const),
  }),
  fc.record({ topic: fc.constant('run' as const), runId: id }),
);

describe('payloads of notifications', () => {
  it('stay far below what PostgreSQL takes, carry no rows, and lose no signal', () => {
    fc.assert(
      fc.property(fc.array(signal, { maxLength: 150 }), (signals) => {
        const payloads = payloadsOf('worker', signals);
        const sent = payloads.flatMap((payload) => {
          expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
          const parsed = JSON.parse(payload) as { from: string; signals: Signal[] };
          expect(parsed.from).toBe('worker');
          return parsed.signals;
        });
        const keys = (list: readonly Signal[]) => [...new Set(list.map(keyOf))].sort();
        expect(keys(sent)).toEqual(keys(signals));
        for (const one of sent) {
          if (one.topic !== 'session') continue;
          expect(one.rows).toBeNull();
          const ids = signals.map((other) =>
            keyOf(other) === keyOf(one) && other.topic === 'session' ? other.lastId : 0,
          );
          // The highest, not the last: signals of two transactions may overtake one another.
          expect(one.lastId).toBe(Math.max(...ids));
        }
        // Every change of a list is told.
        for (const one of signals) if (one.topic === 'user') expect(sent).toContainEqual(one);
      }),
    );
  });
});
