import { useEffect, useState } from 'react';
import { FileUnavailable, type ViewedFile } from '../viewed-file';

export type Loaded<Value> =
  | { state: 'loading' }
  | { state: 'ready'; value: Value }
  | { state: 'failed'; words: string };

/** What a viewer throws when it cannot make sense of a file; the words are shown. */
export class Unreadable extends Error {}

/**
 * Reads a file once and makes something of its bytes. `read` must be a stable function; what it returns may be disposed of
 * with `dispose` when the viewer goes.
 */
export function useFile<Value>(
  /** Null waits. */
  file: ViewedFile | null,
  read: (blob: Blob, signal: AbortSignal) => Promise<Value>,
  dispose?: (value: Value) => void,
): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  // The entry may be a new object with each painting; its bytes are the same while its id is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    if (file === null) return;
    const abort = new AbortController();
    let made: { value: Value } | null = null;
    setLoaded({ state: 'loading' });
    const load = async () => {
      const value = await read(await file.load(abort.signal), abort.signal);
      made = { value };
      if (abort.signal.aborted) dispose?.(value);
      else setLoaded({ state: 'ready', value });
    };
    load().catch((error: unknown) => {
      if (abort.signal.aborted) return;
      const isKnown = error instanceof FileUnavailable || error instanceof Unreadable;
      if (!isKnown) console.warn(error);
      setLoaded({
        state: 'failed',
        words: isKnown ? error.message : 'This file could not be read. It may be damaged.',
      });
    });
    return () => {
      abort.abort();
      if (made !== null) dispose?.(made.value);
    };
  }, [file?.id, file?.url, read, dispose]);
  return loaded;
}

/** Text in whatever encoding it is written: by its mark, UTF-8 when it is valid, else Windows-1252, which takes any byte. */
export function decodeText(bytes: Uint8Array): string {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
  if (mark !== null) return new TextDecoder(mark).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export const readText = async (blob: Blob): Promise<string> => decodeText(new Uint8Array(await blob.arrayBuffer()));

/** An address for an element: the file's own, else one made of its bytes. */
export function useFileUrl(file: ViewedFile): Loaded<string> {
  const made = useFile(file.url === null ? file : null, makeUrl, revokeUrl);
  return file.url === null ? made : { state: 'ready', value: file.url };
}

/** Bytes as an address, for elements. Nothing in it can run or load more. */
export const makeUrl = async (blob: Blob): Promise<string> => URL.createObjectURL(blob);
export const revokeUrl = (url: string): void => URL.revokeObjectURL(url);
