import { expect, it } from 'vitest';
import { createLimit } from './limit';

/** A work that ends when it is told to. */
function createWork(name: string, begun: string[]) {
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve(name) : reject(error));
  });
  return {
    end: (error?: Error) => end(error),
    work: () => {
      begun.push(name);
      return ended;
    },
  };
}

it('runs so many at a time, the others in order, and goes on after a failure', async () => {
  const begun: string[] = [];
  const limit = createLimit(2);
  const works = ['a', 'b', 'c', 'd'].map((name) => createWork(name, begun));
  const [a, b, c, d] = works.map(({ work }) => limit(work));
  expect(begun).toEqual(['a', 'b']);
  works[1]?.end(new Error('on purpose'));
  await expect(b).rejects.toThrow('on purpose');
  expect(begun).toEqual(['a', 'b', 'c']);
  works[2]?.end();
  expect(await c).toBe('c');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const { end } of works) end();
  expect(await Promise.all([a, d])).toEqual(['a', 'd']);
  const later = createWork('e', begun);
  const result = limit(later.work);
  expect(begun.at(-1)).toBe('e');
  later.end();
  expect(await result).toBe('e');
});
