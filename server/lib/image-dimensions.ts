import { imageSize } from 'image-size';

/** In pixels. */
export interface ImageDimensions {
  width: number;
  height: number;
}

/** The first bytes that are worth reading from a stored image; the size stands in its header, JPEG's behind its thumbnails. */
export const IMAGE_HEADER_BYTES = 256 * 1024;

/** Width and height from the first bytes of an image (PNG, JPEG, GIF, WebP, BMP, AVIF and more), null when unreadable. */
export function readImageDimensions(header: Uint8Array): ImageDimensions | null {
  try {
    const { width, height } = imageSize(header);
    return width > 0 && height > 0 ? { width, height } : null;
  } catch {
    return null;
  }
}
