/**
 * The plan of each session: one row, one snapshot shape, one way to change it. Isolation is by key: a named session has its
 * own plan or is not found, and nothing falls back to another's.
 */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { SessionService } from '../sessions/service';
import {
  addStep,
  type ChangeContext,
  clearSteps,
  emptyPlan,
  findStep,
  moveStep,
  type Plan,
  removeStep,
  setSteps,
  updateStep,
} from './engine/plan';
import {
  MAX_STEPS,
  type StepChanges,
  type StepDraft,
  type StepSource,
  type TodoRevision,
  type TodoSnapshot,
} from './schema';
import type { StoredPlan, TodoTables } from './store';

export interface TodoServiceDependencies {
  store: TodoTables;
  sessions: SessionService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  clock: Clock;
}

/** A change of a plan as a function of it. Throwing an AppError leaves the plan as it was. */
export type PlanChange = (plan: Plan, context: ChangeContext) => Plan;

interface Expectation {
  expectedRevision?: number | undefined;
}

const gone = () => new AppError('not-found', 'This chat does not exist or was deleted.');

export function createTodoService(dependencies: TodoServiceDependencies) {
  const { store, sessions, unitOfWork, events, clock } = dependencies;

  function toSnapshot(sessionId: string, plan: StoredPlan | null): TodoSnapshot {
    if (plan === null) return { sessionId, revision: 0, updatedAt: null, tasks: [] };
    return { sessionId, revision: plan.revision, updatedAt: plan.updatedAt.toISOString(), tasks: [...plan.tasks] };
  }

  /** Inside the caller's transaction, which holds the session's row. */
  async function changeLocked(
    tx: Transaction,
    session: { id: string; userId: string | null },
    source: StepSource,
    change: PlanChange,
    { expectedRevision }: Expectation,
  ): Promise<TodoSnapshot> {
    const key = { userId: session.userId, sessionId: session.id };
    const current = await store.load(key, tx);
    if (expectedRevision !== undefined && expectedRevision !== (current?.revision ?? 0)) {
      throw new AppError('conflict', 'The plan was changed meanwhile.', {
        details: { current: toSnapshot(session.id, current) },
      });
    }
    const next = change(current ?? emptyPlan, { source, at: clock.now().toISOString() });
    if (next.tasks.length > MAX_STEPS) throw new AppError('invalid-input', `A plan has at most ${MAX_STEPS} steps.`);
    const snapshot = toSnapshot(session.id, await store.save(tx, key, next, source));
    await events.append(tx, session.id, [{ kind: 'todo-updated', snapshot }]);
    return snapshot;
  }

  function changeAs(
    person: Person,
    input: { sessionId: string } & Expectation,
    change: PlanChange,
  ): Promise<TodoSnapshot> {
    return run(async (tx) => {
      const session = await sessions.lock(tx, person, input.sessionId);
      return changeLocked(tx, session, 'user', change, input);
    });
  }

  async function run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await store.ready();
    return unitOfWork.run(work);
  }

  /** The 0-based index of a step that must be there. */
  function need(plan: Plan, stepId: string): number {
    const index = findStep(plan, { id: stepId });
    if (index === -1) throw new AppError('not-found', 'This step is not in the plan any more.');
    return index;
  }

  return {
    /** Throws not-found for an unknown session: never an empty list, never another's. */
    async get(person: Person, sessionId: string): Promise<TodoSnapshot> {
      return toSnapshot(sessionId, sessions.check(person, await store.findOf(sessionId)).plan);
    },

    set: (person: Person, input: { sessionId: string; tasks: StepDraft[] } & Expectation) =>
      changeAs(person, input, (plan, context) => setSteps(plan, input.tasks, context)),
    addStep: (
      person: Person,
      input: { sessionId: string; step: StepDraft; index?: number | undefined } & Expectation,
    ) => changeAs(person, input, (plan, context) => addStep(plan, input.step, input.index ?? null, context)),
    updateStep: (person: Person, input: { sessionId: string; stepId: string; changes: StepChanges } & Expectation) =>
      changeAs(person, input, (plan, { at }) => updateStep(plan, need(plan, input.stepId), input.changes, at)),
    removeStep: (person: Person, input: { sessionId: string; stepId: string } & Expectation) =>
      changeAs(person, input, (plan) => removeStep(plan, need(plan, input.stepId))),
    moveStep: (person: Person, input: { sessionId: string; stepId: string; index: number } & Expectation) =>
      changeAs(person, input, (plan) => moveStep(plan, need(plan, input.stepId), input.index)),
    clear: (person: Person, input: { sessionId: string } & Expectation) => changeAs(person, input, clearSteps),

    async listRevisions(
      person: Person,
      input: { sessionId: string; limit: number; beforeRevision?: number | undefined },
    ): Promise<{ items: TodoRevision[] }> {
      await sessions.authorise(person, input.sessionId);
      return { items: await store.listRevisions(input.sessionId, input.limit, input.beforeRevision ?? null) };
    },

    /** Makes a past version the newest one: a new revision with its steps. */
    restore(person: Person, input: { sessionId: string; revision: number } & Expectation): Promise<TodoSnapshot> {
      return run(async (tx) => {
        const session = await sessions.lock(tx, person, input.sessionId);
        const tasks = await store.findRevision(tx, session.id, input.revision);
        if (tasks === null) throw new AppError('not-found', 'This version of the plan is not kept any more.');
        return changeLocked(tx, session, 'user', (plan) => ({ ...plan, tasks }), input);
      });
    },

    // For the agent's own tools, by the server's authority.

    /** The plan of a session that exists; throws not-found when it was deleted. */
    async load(sessionId: string): Promise<TodoSnapshot> {
      const found = await store.findOf(sessionId);
      if (found === null) throw gone();
      return toSnapshot(sessionId, found.plan);
    },

    /** Refused for a deleted session: nothing comes back to life. */
    change(
      sessionId: string,
      source: StepSource,
      change: PlanChange,
      expectation: Expectation = {},
    ): Promise<TodoSnapshot> {
      return run(async (tx) => {
        const session = await sessions.lockAny(tx, sessionId);
        if (session === null) throw gone();
        return changeLocked(tx, session, source, change, expectation);
      });
    },

    /**
     * The same as a part of a larger transaction, whose caller holds the session's row and has awaited `ready` before.
     * It writes events: nothing but events may follow it.
     */
    changeLocked: (
      tx: Transaction,
      session: { id: string; userId: string | null },
      source: StepSource,
      change: PlanChange,
    ) => changeLocked(tx, session, source, change, {}),
    /** The plan as a larger transaction sees it. */
    peekLocked: async (tx: Transaction, session: { id: string; userId: string | null }): Promise<TodoSnapshot> =>
      toSnapshot(session.id, await store.load({ userId: session.userId, sessionId: session.id }, tx)),
    ready: () => store.ready(),

    /** The row as stored, for the reminder and the recovery note. */
    loadStored: async (sessionId: string): Promise<StoredPlan | null> => (await store.findOf(sessionId))?.plan ?? null,
    /** Whether a person changed the plan after a revision. */
    async wasChangedByPerson(sessionId: string, afterRevision: number): Promise<boolean> {
      return (await store.findAuthorsAfter(sessionId, afterRevision)).includes('user');
    },
    /** Remembers, as a part of the caller's transaction, that this version's recovery note reached the agent. */
    async noteRecovery(tx: Transaction, sessionId: string, revision: number): Promise<void> {
      const session = await sessions.findAny(sessionId, tx);
      if (session !== null) await store.claimRecoveryNote({ userId: session.userId, sessionId }, revision, tx);
    },

    /** A session that is claimed, or whose owner is deleted, takes its plan along. */
    changeOwner: (tx: Transaction, sessionId: string, userId: string | null) =>
      store.changeOwner(tx, sessionId, userId),
  };
}

export type TodoService = ReturnType<typeof createTodoService>;
