import { describe, expect, it } from 'vitest';
import { watchSilence } from './silence-watch';
import { createHandClock } from './testing/hand-clock';

function start() {
  const hand = createHandClock();
  const heard: string[] = [];
  const watch = watchSilence({
    clock: hand.clock,
    firstByteTimeoutMs: 1000,
    idleTimeoutMs: 100,
    onSilence: (phase) => heard.push(phase),
  });
  return { ...hand, heard, watch };
}

describe('the watch over silence', () => {
  it('waits the long time for the first byte', async () => {
    const { advance, heard } = start();
    await advance(999);
    expect(heard).toEqual([]);
    await advance(1);
    expect(heard).toEqual(['first-byte']);
  });

  it('holds the short limit once something came', async () => {
    const { advance, heard, watch } = start();
    await advance(500);
    watch.touch();
    await advance(99);
    expect(heard).toEqual([]);
    await advance(1);
    expect(heard).toEqual(['idle']);
  });

  it('counts from the last touch, with one sleeper for all of them', async () => {
    const { advance, heard, watch, sleepers } = start();
    watch.touch();
    for (let round = 0; round < 10; round++) {
      await advance(60);
      watch.touch();
      expect(sleepers.size).toBe(1);
    }
    expect(heard).toEqual([]);
    await advance(40);
    await advance(59);
    expect(heard).toEqual([]);
    await advance(1);
    expect(heard).toEqual(['idle']);
  });

  it('leaves nothing asleep once closed', async () => {
    const { advance, heard, watch, sleepers } = start();
    watch.touch();
    watch.close();
    watch.touch();
    expect(sleepers.size).toBe(0);
    await advance(5000);
    expect(heard).toEqual([]);
  });
});
