/** Vectors of texts: how they are compared, and their one-bit sketches, by which a store finds the few worth comparing. */

/** The signs of a vector as a string of 0 and 1. The fewer differ, the nearer two vectors are; each weighs a 32nd of its vector. */
export function sketchOf(vector: Float32Array): string {
  let bits = '';
  for (const value of vector) bits += value > 0 ? '1' : '0';
  return bits;
}

/** Cosine of two unit vectors of one length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let at = 0; at < a.length; at++) product += (a[at] ?? 0) * (b[at] ?? 0);
  return product;
}

/**
 * Whether an endpoint's answer can be believed: a vector for every text, all of one length, finite, none without a direction.
 * Others are treated as no answer.
 */
export function areVectorsUsable(vectors: readonly Float32Array[], count: number): boolean {
  const dimensions = vectors[0]?.length ?? 0;
  return (
    vectors.length === count &&
    dimensions > 0 &&
    vectors.every(
      (vector) => vector.length === dimensions && vector.every(Number.isFinite) && vector.some((value) => value !== 0),
    )
  );
}

/**
 * Similarities above the ordinary, 0 to 1. Models give unrelated texts of one language a cosine of 0.3 to 0.7 to each other:
 * what half of the compared ones reach says nothing.
 */
export function aboveOrdinary(cosines: readonly number[]): number[] {
  const sorted = [...cosines].sort((a, b) => a - b);
  const ordinary = Math.max(0, sorted[sorted.length >> 1] ?? 0);
  // Of one or two there is nothing ordinary to be told.
  if (cosines.length < 3) return cosines.map((value) => Math.max(0, value));
  return cosines.map((value) => (ordinary >= 1 ? 0 : Math.max(0, (value - ordinary) / (1 - ordinary))));
}
