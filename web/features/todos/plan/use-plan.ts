import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useConnection } from '../../../lib/connection-status';
import { useTRPCClient } from '../../../lib/trpc';
import { createPlanStore, type PlanStore } from './plan-store';
import type { PlanState } from './state';

/** The plan of the open chat, with what the person has begun to write: it outlives a closed panel. */
export interface OpenPlan {
  store: PlanStore;
  drafts: { add: string };
}

export const PlanContext = createContext<OpenPlan | null>(null);

/** The plan of one session, read while the component is mounted. Another session is another store: nothing is carried over. */
export function useOpenPlan(sessionId: string): OpenPlan {
  const client = useTRPCClient();
  const connection = useConnection();
  const plan = useMemo(
    () => ({ store: createPlanStore({ client, sessionId }), drafts: { add: '' } }),
    [client, sessionId],
  );
  useEffect(() => plan.store.start(), [plan]);
  // What could not be read while the server was away is read when it is back.
  useEffect(
    () =>
      connection.onStatus(() => {
        if (connection.status() === 'open' && plan.store.getState().loadError !== null) void plan.store.reload();
      }),
    [connection, plan],
  );
  return plan;
}

export function usePlan(): OpenPlan {
  const plan = useContext(PlanContext);
  if (plan === null) throw new Error('usePlan outside of a chat');
  return plan;
}

/** One value out of the plan's state; the component paints again only when that value changes. */
export function usePlanState<Value>(select: (state: PlanState) => Value): Value {
  const { store } = usePlan();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
