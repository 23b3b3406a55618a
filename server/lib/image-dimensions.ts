/** Width and height of an image from its first bytes, whatever its format. */
import { imageSize } from 'image-size';

export interface ImageDimensions {
  width: number;
  height: number;
}

/** Width and height from the first bytes of an image (PNG, JPEG, GIF, WebP, BMP, AVIF and more), null when unreadable. */
export function readImageDimensions(header: Uint8Array): ImageDimensions | null {
  try {
    const { width, height } = imageSize(header);
    return width > 0 && height > 0 ? { width, height } : null;
  } catch {
    return null;
  }
}
