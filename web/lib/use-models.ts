import { useQuery } from '@tanstack/react-query';
import { useTRPC } from './trpc';

/** How often the list is read again while something is missing in it, in milliseconds: as often as the server asks. */
const WAITING_MS = 5_000;

/** Connections with their models, and what answers by default. Looks again by itself until a real model is there. */
export function useModels() {
  return useQuery(
    useTRPC().models.list.queryOptions(undefined, {
      refetchInterval: ({ state }) =>
        state.data !== undefined && (state.data.waitsFor !== null || state.data.isDemo) ? WAITING_MS : false,
    }),
  );
}
