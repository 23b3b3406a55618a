/** Reads what a file is from its first bytes: the signature by `file-type`, text by our own judgement, pixels by their header. */
import { fileTypeFromBuffer } from 'file-type';
import { readImageDimensions } from '../../lib/image-dimensions';
import { type ContentType, classify } from './engine/content-type';
import { isNativeExecutable } from './engine/refusals';
import { detectText } from './workspace/text-encoding';

/** Bytes of a file that are looked at. An image's size stands in its header, a JPEG's behind its embedded thumbnails. */
export const SAMPLE_BYTES = 256 * 1024;

export interface Detected extends ContentType {
  /** Pixels, for images whose header could be read. */
  width: number | null;
  height: number | null;
  isExecutable: boolean;
}

/** @param sample the first `SAMPLE_BYTES` of the file. @param sizeBytes of the whole file. */
export async function detectContent(name: string, sample: Uint8Array, sizeBytes: number): Promise<Detected> {
  const text = detectText(sample, sample.length >= sizeBytes);
  // The old one-byte encoding is a guess that also fits binary data: there a signature decides first.
  const isText = text.isText && (text.encoding !== 'windows-1252' || (await readSignature(sample)) === null);
  const head = isText && text.isText ? new TextDecoder(text.encoding).decode(sample.subarray(0, 4096)) : '';
  const signature = isText ? null : await readSignature(sample);
  const type = classify({ name, signature, isText, head });
  const dimensions = type.kind === 'image' ? readImageDimensions(sample) : null;
  return {
    ...type,
    width: dimensions?.width ?? null,
    height: dimensions?.height ?? null,
    isExecutable: !isText && isNativeExecutable(sample),
  };
}

async function readSignature(sample: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  return found?.mime ?? null;
}
