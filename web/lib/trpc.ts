/** The one connection to the server: calls over HTTP in batches, subscriptions over one WebSocket. */
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, type TRPCClient, wsLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/trpc/router';
import { createBackOff } from './back-off';
import { isAway } from './error-words';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
export type Client = TRPCClient<AppRouter>;
export type ConnectionStatus = 'connecting' | 'open' | 'lost';

export interface Connection {
  client: Client;
  /** Whether events arrive; `lost` once an attempt failed or an open connection broke. */
  status(): ConnectionStatus;
  onStatus(listener: () => void): () => void;
}

/** Creates the client. Called once, in `main.tsx`. */
export function createConnection(origin: string): Connection {
  const listeners = new Set<() => void>();
  let status: ConnectionStatus = 'connecting';
  const setStatus = (next: ConnectionStatus) => {
    if (next === status) return;
    status = next;
    for (const listener of listeners) listener();
  };
  const backOff = createBackOff();
  const socket = createWSClient({
    url: `${origin.replace(/^http/, 'ws')}/trpc`,
    retryDelayMs: backOff.delayMs,
    // A laptop that slept or a network that changed leaves a socket that looks open: ask now and then.
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 8_000 },
    onOpen: () => {
      backOff.opened();
      setStatus('open');
    },
    onClose: () => {
      backOff.closed();
      setStatus('lost');
    },
    onError: () => setStatus('lost'),
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: wsLink({ client: socket }),
        false: httpBatchLink({ url: `${origin}/trpc`, maxURLLength: 2_000 }),
      }),
    ],
  });
  return {
    client,
    status: () => status,
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads are fed by events, so they never go stale by themselves; a failed one is tried again only when that can help. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (count, error) => isAway(error) && count < 5,
        // Whether the browser thinks it is online says little about a server on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
