/** A bounded queue between one writer that must not wait and one reader. */
export interface Mailbox<T> {
  /** Adds an item. When the box is full everything in it is replaced by `whenFull`: the reader starts over. */
  put(item: T): void;
  /** Yields items as they come, until `signal` aborts. */
  read(signal: AbortSignal): AsyncGenerator<T>;
}

export function createMailbox<T>({ limit, whenFull }: { limit: number; whenFull: T }): Mailbox<T> {
  let items: T[] = [];
  let wake: (() => void) | null = null;
  return {
    put(item) {
      if (items.length >= limit) items = [whenFull];
      else items.push(item);
      wake?.();
    },
    async *read(signal) {
      const onAbort = () => wake?.();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          const batch = items;
          items = [];
          for (const item of batch) {
            yield item;
            if (signal.aborted) return;
          }
          if (items.length > 0 || signal.aborted) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          wake = null;
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
