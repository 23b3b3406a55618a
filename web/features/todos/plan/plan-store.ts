/**
 * The plan of one open chat: reads it, takes its events, and sends the person's changes one after the other, each with the
 * revision it was made for. Knows nothing of React and shows no words: outcomes are values.
 */
import type { TodoSnapshot } from '../../../../server/domains/todos/schema';
import type { SessionEvent } from '../../../../server/events/topics';
import { appCodeOf, isAway } from '../../../lib/error-words';
import { newId } from '../../../lib/ids';
import type { Client } from '../../../lib/trpc';
import { meansTheSame, moveIndex, type PlanOperation, renameStep, type Tasks } from './operations';
import { initialPlanState, type PlanAction, type PlanState, planReducer } from './state';

/** A change that meets a newer plan is made for that one, if it still means the same. More often than this is a struggle. */
const MAX_ATTEMPTS = 4;
const READ_RETRY_MS = 1_000;
const MAX_READ_ATTEMPTS = 4;

export type ChangeOutcome =
  /** `isRebased`: somebody else had changed the plan meanwhile, and the change went onto the newer one. */
  | { kind: 'done'; before: TodoSnapshot; after: TodoSnapshot; isRebased: boolean }
  /** What the person touched was changed by somebody else. The newer plan is shown. */
  | { kind: 'conflict' }
  | { kind: 'failed'; error: unknown };

export interface PlanStore {
  getState(): PlanState;
  subscribe(listener: () => void): () => void;
  /** Reads the plan; the returned function ends the store's life. May be called again afterwards. */
  start(): () => void;
  onEvent(event: SessionEvent): void;
  reload(): Promise<void>;
  /** Shows the change at once and resolves when the server took or refused it. `seen`: what the person acted on, by default what is shown. */
  change(operation: PlanOperation, seen?: Tasks): Promise<ChangeOutcome>;
}

export function createPlanStore({ client, sessionId }: { client: Client; sessionId: string }): PlanStore {
  const listeners = new Set<() => void>();
  let state = initialPlanState(sessionId);
  let life = 0;
  let writes: Promise<unknown> = Promise.resolve();

  function dispatch(action: PlanAction) {
    const next = planReducer(state, action);
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  async function read(): Promise<void> {
    const startedIn = life;
    dispatch({ type: 'read-started', sessionId });
    for (let attempt = 1; startedIn === life; attempt++) {
      try {
        const snapshot = await client.todos.get.query({ sessionId });
        if (startedIn === life) dispatch({ type: 'read', snapshot: snapshot as TodoSnapshot });
        return;
      } catch (error) {
        if (isAway(error) && attempt < MAX_READ_ATTEMPTS) {
          await new Promise((resolve) => setTimeout(resolve, READ_RETRY_MS * attempt));
        } else {
          if (startedIn === life) dispatch({ type: 'read-failed', sessionId, error });
          return;
        }
      }
    }
  }

  function send(operation: PlanOperation, { tasks, revision }: TodoSnapshot): Promise<unknown> {
    const target = { sessionId, expectedRevision: revision };
    switch (operation.kind) {
      case 'add': {
        const { id: _id, ...step } = operation.draft;
        return client.todos.addStep.mutate({ ...target, step });
      }
      case 'update':
        return client.todos.updateStep.mutate({ ...target, stepId: operation.stepId, changes: operation.changes });
      case 'move':
        return client.todos.moveStep.mutate({
          ...target,
          stepId: operation.stepId,
          index: Math.max(0, moveIndex(tasks, operation)),
        });
      case 'remove':
        return client.todos.removeStep.mutate({ ...target, stepId: operation.stepId });
      case 'clear':
        return client.todos.clear.mutate(target);
      case 'restore':
        return client.todos.restore.mutate({ ...target, revision: operation.revision });
      case 'bring-back':
        return client.todos.restore.mutate({
          ...target,
          revision: operation.revision,
          stepIds: [...operation.stepIds],
        });
    }
  }

  /** The person may still speak of a step by the id it had before the server gave it one. */
  function withCurrentIds(operation: PlanOperation): PlanOperation {
    return Object.entries(state.renamed).reduce((renamed, [from, to]) => renameStep(renamed, from, to), operation);
  }

  /** Its turn has come: everything before it is settled. */
  async function write(changeId: string): Promise<ChangeOutcome> {
    let isRebased = false;
    const settle = (snapshot: TodoSnapshot | null) =>
      dispatch({ type: 'change-settled', sessionId, changeId, snapshot });
    for (let attempt = 1; ; attempt++) {
      const change = state.pending.find((pending) => pending.id === changeId);
      const before = state.snapshot;
      if (change === undefined || before === null) {
        settle(null);
        return { kind: 'conflict' };
      }
      if (!meansTheSame(change.operation, change.seen, before.tasks)) {
        settle(null);
        return { kind: 'conflict' };
      }
      dispatch({ type: 'change-sent', sessionId, changeId, revision: before.revision });
      try {
        const after = (await send(change.operation, before)) as TodoSnapshot;
        settle(after);
        return { kind: 'done', before, after, isRebased };
      } catch (error) {
        const isPending = state.pending.some((pending) => pending.id === changeId);
        // Its event arrived, only the answer was lost.
        if (!isPending && state.snapshot !== null) return { kind: 'done', before, after: state.snapshot, isRebased };
        const current = conflictingSnapshot(error);
        if (current === null || attempt >= MAX_ATTEMPTS) {
          settle(null);
          // What happened to a change without an answer is unknown: the plan tells.
          void read();
          return appCodeOf(error) === 'conflict' ? { kind: 'conflict' } : { kind: 'failed', error };
        }
        isRebased = true;
        dispatch({ type: 'read', snapshot: current });
        if (state.snapshot === null || state.snapshot.revision < current.revision) await read();
      }
    }
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      life += 1;
      void read();
      return () => {
        life += 1;
      };
    },
    onEvent(event) {
      dispatch({ type: 'event', sessionId, event });
      // A fresh start of the stream: what was missed is not told again.
      if (event.kind === 'snapshot' && state.snapshot !== null) void read();
    },
    reload: read,
    change(operation, seen) {
      const changeId = newId();
      const change = {
        id: changeId,
        operation: withCurrentIds(operation),
        seen: seen ?? state.tasks,
        sentRevision: null,
      };
      dispatch({ type: 'change-made', sessionId, change });
      const written = writes.then(() => write(changeId));
      writes = written;
      return written;
    },
  };
}

/** CONFLICT carries the plan as it is now. */
function conflictingSnapshot(error: unknown): TodoSnapshot | null {
  if (appCodeOf(error) !== 'conflict') return null;
  const details = (error as { data?: { details?: { current?: TodoSnapshot } | null } }).data?.details;
  return details?.current ?? null;
}
