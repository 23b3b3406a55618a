/**
 * The one `fetch` for model endpoints. Node's own gives up after five minutes without headers or without a body chunk;
 * local models may think longer than that, so those limits are lifted here and time-outs are `call-model.ts`'s alone.
 */
import { Agent, fetch as undiciFetch } from 'undici';

export interface ModelFetch {
  fetch: typeof globalThis.fetch;
  /** Ends idle connections. */
  close(): void;
}

/** A connection must be made within this time; a model that thinks is connected long before it answers. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Creates a fetch whose only own time-out is the connection's. It takes whatever the global one takes. */
export function createModelFetch(): ModelFetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_TIMEOUT_MS } });
  const modelFetch = (input: Parameters<typeof undiciFetch>[0], init?: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher });
  return {
    fetch: modelFetch as unknown as typeof globalThis.fetch,
    close: () => {
      void dispatcher.close();
    },
  };
}
