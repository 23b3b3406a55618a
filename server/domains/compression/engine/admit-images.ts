/** Which images of the context a model is sent: as many as fit, in their order, each at its own price (seed 004). */

/** Share of the window that a context may fill with images; the rest is for what is said and answered. */
const IMAGE_SHARE = 0.8;

export interface ImageRoom {
  windowTokens: number;
  triggerTokens: number;
  /** What the context takes already. */
  contextTokens: number;
}

export interface PricedImage {
  id: string;
  tokens: number;
}

/**
 * Ids of the images that fit into 0.8 × window − what the context takes already. In a small window compression is due before
 * that share is reached (`triggerTokens`); images alone shall never cause it. A large one that does not fit leaves its place
 * to smaller ones behind it. `tokens` is the price of those that fit.
 */
export function admitImages(
  images: readonly PricedImage[],
  { windowTokens, triggerTokens, contextTokens }: ImageRoom,
): { admitted: string[]; leftOut: string[]; tokens: number } {
  const room = Math.min(Math.floor(windowTokens * IMAGE_SHARE), triggerTokens - 1) - contextTokens;
  const admitted: string[] = [];
  const leftOut: string[] = [];
  let taken = 0;
  for (const { id, tokens } of images) {
    if (taken + tokens > room) {
      leftOut.push(id);
      continue;
    }
    taken += tokens;
    admitted.push(id);
  }
  return { admitted, leftOut, tokens: taken };
}

/** Images of the context that no model was offered yet. */
export interface WaitingImages {
  /** What they would take of a prompt without history: more than could ever be shown is no reason for anything. */
  tokens: number;
  /** History alone keeps every one of them away. */
  isShutOut: boolean;
}

/**
 * What the images that wait for their decision mean for a compression (seed 004: the pre-turn count includes "the incoming
 * message, including its images"). `fixedTokens` is what no compression removes.
 */
export function weighWaiting(
  images: readonly PricedImage[],
  { fixedTokens, ...room }: ImageRoom & { fixedTokens: number },
): WaitingImages {
  const atBest = admitImages(images, { ...room, contextTokens: fixedTokens });
  const now = admitImages(images, room);
  return { tokens: atBest.tokens, isShutOut: atBest.tokens > 0 && now.tokens === 0 };
}
