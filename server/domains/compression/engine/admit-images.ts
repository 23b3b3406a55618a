/** Which images of the context a model is sent: as many as fit, in their order, each at its own price (seed 004). */

/** Share of the window that a context may fill with images; the rest is for what is said and answered. */
const IMAGE_SHARE = 0.8;

/**
 * Ids of the images that fit into 0.8 × window − what the context takes already. In a small window compression is due before
 * that share is reached (`triggerTokens`); images alone shall never cause it. A large one that does not fit leaves its place
 * to smaller ones behind it.
 */
export function admitImages(
  images: readonly { id: string; tokens: number }[],
  {
    windowTokens,
    triggerTokens,
    contextTokens,
  }: { windowTokens: number; triggerTokens: number; contextTokens: number },
): { admitted: string[]; leftOut: string[] } {
  let left = Math.min(Math.floor(windowTokens * IMAGE_SHARE), triggerTokens - 1) - contextTokens;
  const admitted: string[] = [];
  const leftOut: string[] = [];
  for (const { id, tokens } of images) {
    if (tokens > left) {
      leftOut.push(id);
      continue;
    }
    left -= tokens;
    admitted.push(id);
  }
  return { admitted, leftOut };
}
