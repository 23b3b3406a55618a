/**
 * What an image costs, from its size in pixels (seed 004, `image_tokens.py`, measured on qwen3.6). The length of its
 * bytes or of their base64 says nothing: 3 MB of picture were once counted as a million tokens.
 */
import type { ImageDimensions } from '../../../lib/image-dimensions';

/** Pixels along one side of a vision patch. */
const PATCH_PIXELS = 32;
/** Larger images are scaled down by the model to this area, in pixels. */
const MAX_AREA_PIXELS = 2048 * 2048;
/** A model spends at least and at most so many patches on one image. */
const MIN_PATCHES = 256;
const MAX_PATCHES = 4096;
/** The markers around an image. */
const FRAME_TOKENS = 2;

/** The first bytes that are worth reading from a stored image; the size stands in its header, JPEG's behind its thumbnails. */
export const IMAGE_HEADER_BYTES = 256 * 1024;

/**
 * Tokens of one image: its patches after a downscale to at most 2048² pixels, within 256 to 4096, and two markers. 1024 ×
 * 1024 costs 1,026, 2048 × 2048 costs 4,098. `unreadableTokens` is the price without dimensions (`imageTokens`).
 */
export function priceImage(dimensions: ImageDimensions | null, unreadableTokens: number): number {
  if (dimensions === null) return unreadableTokens;
  const area = dimensions.width * dimensions.height;
  const scale = area > MAX_AREA_PIXELS ? Math.sqrt(MAX_AREA_PIXELS / area) : 1;
  const patchesAlong = (pixels: number) => Math.ceil(Math.max(1, Math.floor(pixels * scale)) / PATCH_PIXELS);
  const patches = patchesAlong(dimensions.width) * patchesAlong(dimensions.height);
  return Math.min(MAX_PATCHES, Math.max(MIN_PATCHES, patches)) + FRAME_TOKENS;
}

/** An image as a message names it: its size in pixels where that is known. */
export interface SizedImage {
  width?: number | undefined;
  height?: number | undefined;
}

/**
 * The price list that meter, partition, summariser and context builder share: tokens of an attached image by its pixels.
 * `unreadableTokens` is the price of one whose size nobody knows (`NAVI_CONTEXT_IMAGE_TOKENS`).
 */
export const createImagePrices =
  (unreadableTokens: number) =>
  ({ width, height }: SizedImage): number =>
    priceImage(width === undefined || height === undefined ? null : { width, height }, unreadableTokens);
