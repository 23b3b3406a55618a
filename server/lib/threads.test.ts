import { expect, it } from 'vitest';
import { runInThread } from './threads';

const fill = (blocks: number) =>
  runInThread<{ held: number }>({
    source: new URL('../testing/filling-thread.ts', import.meta.url),
    bundled: '',
    data: { blocks },
    timeoutMs: 600_000,
    memoryMb: 64,
    onLimit: () => new Error('too much'),
  });

it('a thread that fills buffers is ended by the memory of the process, as no limit of its heap counts them', async () => {
  await expect(fill(48)).rejects.toThrow('too much');
});

it('a thread with as many buffers as documents need is left alone', async () => {
  expect(await fill(2)).toEqual({ held: 2 });
});
