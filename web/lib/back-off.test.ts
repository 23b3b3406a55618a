import { expect, it } from 'vitest';
import { createBackOff } from './back-off';

function setUp() {
  let nowMs = 0;
  const backOff = createBackOff(() => nowMs);
  /** A connection that lives for so long. */
  const live = (ms: number) => {
    backOff.opened();
    nowMs += ms;
    backOff.closed();
  };
  return { backOff, live };
}

it('comes back at once to a connection that worked', () => {
  const { backOff, live } = setUp();
  live(60_000);
  expect(backOff.delayMs(0)).toBe(0);
});

it('waits longer with each attempt that fails, up to five seconds', () => {
  const { backOff } = setUp();
  expect([1, 2, 3, 4, 5, 9].map(backOff.delayMs)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
});

it('waits longer, too, when connections open and break at once, as with a server that still starts', () => {
  const { backOff, live } = setUp();
  const delays = Array.from({ length: 6 }, () => {
    live(5);
    return backOff.delayMs(0);
  });
  expect(delays).toEqual([0, 500, 1_000, 2_000, 4_000, 5_000]);
  live(60_000);
  expect(backOff.delayMs(0)).toBe(0);
});
