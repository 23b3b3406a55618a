/**
 * Folds reads, events and the person's own changes into what the plan panel shows. Pure.
 *
 * What makes it exact: a revision that is not newer is dropped; an empty list with a newer revision is a clear; whatever
 * belongs to another session is ignored; own changes lie on top until the server confirms or refuses them, and a plan
 * that already contains the change under way takes it off in the same step, so that nothing is ever shown twice.
 */
import type { RunState } from '../../../../server/domains/sessions/schema';
import type { TodoSnapshot } from '../../../../server/domains/todos/schema';
import type { SessionEvent, Snapshot } from '../../../../server/events/topics';
import { applyOperation, type PlanOperation, readsTheSame, renameStep, type Tasks } from './operations';

export interface PendingChange {
  id: string;
  operation: PlanOperation;
  /** The list that the person acted on. */
  seen: Tasks;
  /** The revision that it was sent against; null while it waits for its turn. */
  sentRevision: number | null;
}

export interface PlanState {
  sessionId: string;
  /** The newest plan that is known of; null until the first read. */
  snapshot: TodoSnapshot | null;
  /** In the order in which they were made; the first may be under way. */
  pending: readonly PendingChange[];
  /** What is shown: the snapshot with the pending changes on top. */
  tasks: Tasks;
  /** From the id that a step had in this tab before the server gave it one, to that one. */
  renamed: Readonly<Record<string, string>>;
  /** Null until the first event tells. */
  runState: RunState | null;
  /** What the planning phase is doing, in words; null while there is none. */
  planning: PlanningStatus | null;
  isRemoved: boolean;
  /** Why the plan could not be read; null when it could, or is on its way. */
  loadError: unknown;
}

export type PlanningStatus = NonNullable<NonNullable<Snapshot['run']>['planning']>;

export type PlanAction =
  | { type: 'event'; sessionId: string; event: SessionEvent }
  | { type: 'read'; snapshot: TodoSnapshot }
  | { type: 'read-started'; sessionId: string }
  | { type: 'read-failed'; sessionId: string; error: unknown }
  | { type: 'change-made'; sessionId: string; change: PendingChange }
  | { type: 'change-sent'; sessionId: string; changeId: string; revision: number }
  /** The change is over; `snapshot` is what the server answered, null when it was refused. */
  | { type: 'change-settled'; sessionId: string; changeId: string; snapshot: TodoSnapshot | null };

export function initialPlanState(sessionId: string): PlanState {
  return {
    sessionId,
    snapshot: null,
    pending: [],
    tasks: [],
    renamed: {},
    runState: null,
    planning: null,
    isRemoved: false,
    loadError: null,
  };
}

export function planReducer(state: PlanState, action: PlanAction): PlanState {
  const sessionId = action.type === 'read' ? action.snapshot.sessionId : action.sessionId;
  if (sessionId !== state.sessionId) return state;
  switch (action.type) {
    case 'event':
      return foldEvent(state, action.event);
    case 'read':
      return takeSnapshot(state.loadError === null ? state : { ...state, loadError: null }, action.snapshot);
    case 'read-started':
      return state.loadError === null ? state : { ...state, loadError: null };
    case 'read-failed':
      return state.snapshot === null ? { ...state, loadError: action.error } : state;
    case 'change-made':
      return withPending(state, [...state.pending, action.change]);
    case 'change-sent':
      return {
        ...state,
        pending: state.pending.map((change) =>
          change.id === action.changeId ? { ...change, sentRevision: action.revision } : change,
        ),
      };
    case 'change-settled':
      return settle(state, action.changeId, action.snapshot);
  }
}

/** The id of a step now, by any id that it had. */
export const idNow = ({ renamed }: Pick<PlanState, 'renamed'>, stepId: string): string => renamed[stepId] ?? stepId;

/** Whether a run is at work on the session now; unknown counts as one, so that nothing flickers from paused to running. */
export const isRunLive = ({ runState }: PlanState): boolean =>
  runState === null || runState === 'running' || runState === 'stopping';

function foldEvent(state: PlanState, event: SessionEvent): PlanState {
  switch (event.kind) {
    case 'todo-updated':
      return takeSnapshot(state, event.snapshot);
    case 'snapshot':
      // Only a session that is there has one: a removal was taken back, here or in another tab.
      return { ...state, runState: event.runState, planning: event.run?.planning ?? null, isRemoved: false };
    case 'run-start':
      return { ...state, runState: 'running', planning: null };
    case 'run-end':
      return { ...state, runState: event.runState, planning: null };
    case 'session-updated':
      return event.changes.runState === undefined ? state : { ...state, runState: event.changes.runState };
    case 'session-removed':
      return { ...state, isRemoved: true, planning: null };
    case 'planning-status':
      return { ...state, planning: event.state === 'running' ? { phase: event.phase, text: event.text } : null };
    case 'plan-ready':
      return { ...state, planning: null };
    default:
      return state;
  }
}

/** The gate. Answers the same state when the snapshot is not newer. */
function takeSnapshot(state: PlanState, snapshot: TodoSnapshot): PlanState {
  if (snapshot.sessionId !== state.sessionId) return state;
  if (state.snapshot !== null && snapshot.revision <= state.snapshot.revision) return state;
  return withView({ ...state, ...withoutContained(state, snapshot), snapshot, loadError: null });
}

type Changes = Pick<PlanState, 'pending' | 'renamed'>;

/** The change under way is part of a snapshot that is exactly one revision newer and reads like its outcome. */
function withoutContained(state: PlanState, snapshot: TodoSnapshot): Changes {
  const [first, ...rest] = state.pending;
  if (first === undefined || first.sentRevision === null || state.snapshot === null) return state;
  if (snapshot.revision !== first.sentRevision + 1 || state.snapshot.revision !== first.sentRevision) {
    return state;
  }
  const outcome = applyOperation(state.snapshot.tasks, first.operation);
  return readsTheSame(outcome, snapshot.tasks) ? renameAdded({ ...state, pending: rest }, first, snapshot) : state;
}

function settle(state: PlanState, changeId: string, answer: TodoSnapshot | null): PlanState {
  const settled = state.pending.find((change) => change.id === changeId);
  const others = state.pending.filter((change) => change !== settled);
  const left = { ...state, pending: others };
  const changes = settled === undefined || answer === null ? left : renameAdded(left, settled, answer);
  const isNewer = answer !== null && answer.revision > (state.snapshot?.revision ?? -1);
  return withView({ ...left, ...changes, snapshot: isNewer ? answer : state.snapshot });
}

/** Later changes may speak of a step by the name it had before the server gave it one. */
function renameAdded(
  { pending, renamed, snapshot }: PlanState,
  { operation }: PendingChange,
  after: TodoSnapshot,
): Changes {
  if (operation.kind !== 'add') return { pending, renamed };
  const known = new Set(snapshot?.tasks.map((step) => step.id));
  const added = after.tasks.find((step) => !known.has(step.id));
  if (added === undefined) return { pending, renamed };
  const rename = (change: PendingChange): PendingChange => ({
    ...change,
    operation: renameStep(change.operation, operation.temporaryId, added.id),
    seen: change.seen.map((step) => (step.id === operation.temporaryId ? { ...step, id: added.id } : step)),
  });
  return { pending: pending.map(rename), renamed: { ...renamed, [operation.temporaryId]: added.id } };
}

const withPending = (state: PlanState, pending: readonly PendingChange[]) => withView({ ...state, pending });

/** Steps that did not change keep their identity, so that only what changed is painted. */
function withView(state: PlanState): PlanState {
  const next = state.pending.reduce<Tasks>(
    (tasks, change) => applyOperation(tasks, change.operation),
    state.snapshot?.tasks ?? [],
  );
  const known = new Map(state.tasks.map((step) => [step.id, step]));
  const tasks = next.map((step) => {
    const old = known.get(step.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(step) ? old : step;
  });
  const isSame = tasks.length === state.tasks.length && tasks.every((step, index) => step === state.tasks[index]);
  return { ...state, tasks: isSame ? state.tasks : tasks };
}
