/**
 * The uploads of one draft. A few go out at once, the rest wait; what failed keeps its file and can be tried again. Lives
 * outside of React, so that uploads go on while another chat is looked at.
 */
import type { FileEntry, FileLimits } from '../../../../server/domains/files/schema';
import { isRasterImage } from '../kinds';
import { refusalOf } from './check-file';
import type { SendFile } from './send-file';

export type UploadState =
  | { kind: 'waiting' }
  | { kind: 'sending'; sentBytes: number }
  | { kind: 'failed'; words: string; canRetry: boolean };

export interface Upload {
  /** Rises in the order in which files were chosen. */
  key: number;
  file: File;
  state: UploadState;
}

export interface UploadTargetInfo {
  sessionId: string;
  limits: FileLimits;
}

interface QueueOptions {
  send: SendFile;
  /** Where to, and what may go there. Called for each batch; throws when the server is away. */
  open(): Promise<UploadTargetInfo>;
  onDone(file: FileEntry, from: Upload): void;
}

export interface UploadQueue {
  items(): readonly Upload[];
  subscribe(listener: () => void): () => void;
  add(files: readonly File[]): void;
  retry(key: number): void;
  /** Those that failed on their way and may succeed now. */
  retryAll(): void;
  /** Also ends what is on its way. */
  remove(key: number): void;
  /** The tray that is on screen now: answers go to it. */
  use(options: Omit<QueueOptions, 'send'>): void;
}

/** Browsers open six connections to a server at most; the chat needs some of them. */
const PARALLEL = 3;

export function createUploadQueue({ send, ...first }: QueueOptions): UploadQueue {
  let options: Omit<QueueOptions, 'send'> = first;
  let items: readonly Upload[] = [];
  let nextKey = 1;
  let isOpening = false;
  const running = new Map<number, { abort(): void }>();
  const listeners = new Set<() => void>();

  const set = (next: readonly Upload[]) => {
    items = next;
    for (const listener of listeners) listener();
  };
  const change = (key: number, state: UploadState) =>
    set(items.map((item) => (item.key === key ? { ...item, state } : item)));
  const drop = (key: number) => set(items.filter((item) => item.key !== key));
  const hasImageUnderWay = () => items.some((item) => running.has(item.key) && isRasterImage(item.file));
  const waiting = () => items.filter((item) => item.state.kind === 'waiting' && !running.has(item.key));

  function start(item: Upload, { sessionId, limits }: UploadTargetInfo) {
    const refusal = refusalOf(item.file, limits);
    if (refusal !== null) return change(item.key, { kind: 'failed', words: refusal, canRetry: false });
    const settle = () => {
      running.delete(item.key);
      void work();
    };
    change(item.key, { kind: 'sending', sentBytes: 0 });
    const sending = send(
      item.file,
      { sessionId, isImage: isRasterImage(item.file) },
      {
        onProgress: (sentBytes) => change(item.key, { kind: 'sending', sentBytes }),
        onDone(file) {
          options.onDone(file, item);
          drop(item.key);
          settle();
        },
        onFailed(words, canRetry) {
          change(item.key, { kind: 'failed', words, canRetry });
          settle();
        },
      },
    );
    running.set(item.key, sending);
  }

  async function work() {
    if (isOpening || waiting().length === 0) return;
    isOpening = true;
    try {
      const target = await options.open();
      // What cannot go says so at once, whatever else is on its way.
      for (const item of waiting()) {
        const refusal = refusalOf(item.file, target.limits);
        if (refusal !== null) change(item.key, { kind: 'failed', words: refusal, canRetry: false });
      }
      for (const item of waiting()) {
        if (running.size >= PARALLEL) break;
        // The server numbers images as they come: one after the other, in the order in which they were chosen.
        if (isRasterImage(item.file) && hasImageUnderWay()) continue;
        start(item, target);
      }
    } catch {
      for (const item of waiting()) {
        change(item.key, { kind: 'failed', words: 'The server cannot be reached right now.', canRetry: true });
      }
    } finally {
      isOpening = false;
    }
  }

  const retry = (keys: readonly number[]) => {
    if (keys.length === 0) return;
    set(items.map((item) => (keys.includes(item.key) ? { ...item, state: { kind: 'waiting' } } : item)));
    void work();
  };

  return {
    items: () => items,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(files) {
      set([...items, ...files.map((file): Upload => ({ key: nextKey++, file, state: { kind: 'waiting' } }))]);
      void work();
    },
    retry: (key) => retry([key]),
    retryAll: () =>
      retry(items.filter(({ state }) => state.kind === 'failed' && state.canRetry).map((item) => item.key)),
    remove(key) {
      running.get(key)?.abort();
      running.delete(key);
      drop(key);
      void work();
    },
    use(next) {
      options = next;
    },
  };
}
