import { expect, it } from 'vitest';
import { aboveOrdinary, areVectorsUsable, cosine, sketchOf } from './vectors';

const of = (...values: number[]) => Float32Array.from(values);

it('sketches are as long as their vector and hold its signs', () => {
  expect(sketchOf(of(0.5, -0.1, 0, 2))).toBe('1001');
});

it('near vectors have near sketches', () => {
  const base = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at * 7));
  const near = base.map((value, at) => value + 0.2 * Math.sin(at * 3));
  const far = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at * 5 + 1));
  const differ = (a: string, b: string) => [...a].filter((bit, at) => bit !== b[at]).length;
  expect(differ(sketchOf(base), sketchOf(near))).toBeLessThan(differ(sketchOf(base), sketchOf(far)) / 2);
  expect(cosine(of(1, 0), of(0.6, 0.8))).toBeCloseTo(0.6);
});

it.each<[string, Float32Array[], number]>([
  ['too few', [of(1, 0)], 2],
  ['too many', [of(1, 0), of(0, 1)], 1],
  ['of different lengths', [of(1, 0), of(1, 0, 0)], 2],
  ['empty', [of(), of()], 2],
  ['not finite', [of(1, Number.NaN)], 1],
  ['without a direction', [of(0, 0)], 1],
])('vectors that are %s are no answer', (_, vectors, count) => {
  expect(areVectorsUsable(vectors, count)).toBe(false);
});

it('only what stands out counts', () => {
  expect(areVectorsUsable([of(1, 0)], 1)).toBe(true);
  const [top, ordinary] = aboveOrdinary([0.9, 0.6, 0.6, 0.58, 0.61]);
  expect(top).toBeCloseTo(0.75);
  expect(ordinary).toBe(0);
  expect(aboveOrdinary([0.8])).toEqual([0.8]);
});
