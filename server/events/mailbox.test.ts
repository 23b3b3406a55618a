import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMailbox } from './mailbox';

describe('mailbox', () => {
  it('hands over everything in order while the reader keeps up, whoever comes first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.integer(), { maxLength: 5 }), { maxLength: 12 }), async (bursts) => {
        const box = createMailbox<number | 'full'>({ limit: 10, whenFull: 'full' });
        const controller = new AbortController();
        const got: (number | 'full')[] = [];
        const reading = (async () => {
          for await (const item of box.read(controller.signal)) got.push(item);
        })();
        for (const burst of bursts) {
          for (const item of burst) box.put(item);
          await new Promise((resolve) => setImmediate(resolve));
        }
        controller.abort();
        await reading;
        expect(got).toEqual(bursts.flat());
      }),
      { numRuns: 60 },
    );
  });

  it('replaces everything by one mark when the reader is too slow, and goes on after it', async () => {
    const box = createMailbox<number | 'full'>({ limit: 3, whenFull: 'full' });
    for (let item = 1; item <= 5; item++) box.put(item);
    const controller = new AbortController();
    const got: (number | 'full')[] = [];
    for await (const item of box.read(controller.signal)) {
      got.push(item);
      if (got.length === 2) controller.abort();
    }
    expect(got).toEqual(['full', 5]);
  });

  it('ends a reader that waits, and one that is in the middle, when the signal aborts', async () => {
    const controller = new AbortController();
    const box = createMailbox<number>({ limit: 10, whenFull: 0 });
    const waiting = (async () => {
      for await (const _ of box.read(controller.signal)) throw new Error('nothing was put');
    })();
    controller.abort();
    await waiting;
    box.put(1);
    const rest: number[] = [];
    for await (const item of box.read(controller.signal)) rest.push(item);
    expect(rest).toEqual([]);
  });
});
