import type { PlanStep } from './schema';
import type { TodoStore } from './store';

/** Backends for one call, before the injected one. */
export interface TodoBackends {
  store?: TodoStore | null;
  /** The key-value fallback: see `createKvTodoStore`. */
  kv?: TodoStore | null;
}

/**
 * `load_tasks_for` of seed 000: which steps a session has, asked of the first backend there is: the explicit store, the
 * explicit key-value store, the injected one. An existing backend that knows no plan answers with an empty list and the
 * next one is not asked: a plan that was cleared would come back from it. Navi itself asks `TodoService`, which has one store
 * (docs/decisions/0030).
 */
export function createTaskLoader({ injected }: { injected: TodoStore | null }) {
  return async (
    sessionId: string,
    userId: string | null,
    { store = null, kv = null }: TodoBackends = {},
  ): Promise<PlanStep[]> => {
    const backend = store ?? kv ?? injected;
    if (backend === null) return [];
    await backend.ready();
    return [...((await backend.load({ userId, sessionId }))?.tasks ?? [])];
  };
}

export type LoadTasksFor = ReturnType<typeof createTaskLoader>;
