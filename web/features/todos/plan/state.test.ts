import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanStep, TodoSnapshot } from '../../../../server/domains/todos/schema';
import type { SessionEvent } from '../../../../server/events/topics';
import type { PlanOperation } from './operations';
import { idNow, initialPlanState, isRunLive, type PlanAction, type PlanState, planReducer } from './state';

const step = (id: string, changes: Partial<PlanStep> = {}): PlanStep =>
  ({
    id,
    text: `Text of ${id}`,
    status: 'pending',
    priority: 'medium',
    validation: null,
    note: null,
    source: 'agent',
    protocolRunId: null,
    stepId: null,
    changedAt: null,
    ...changes,
  }) as PlanStep;

const plan = (revision: number, ids: string[], sessionId = 'here'): TodoSnapshot => ({
  sessionId,
  revision,
  updatedAt: '2026-11-29T12:00:00.000Z',
  tasks: ids.map((id) => step(id)),
});
const told = (snapshot: TodoSnapshot, sessionId = 'here'): PlanAction => ({
  type: 'event',
  sessionId,
  event: { kind: 'todo-updated', snapshot },
});
const read = (snapshot: TodoSnapshot): PlanAction => ({ type: 'read', snapshot });
const fold = (actions: PlanAction[], from: PlanState = initialPlanState('here')) => actions.reduce(planReducer, from);
const made = (id: string, operation: PlanOperation, state: PlanState): PlanAction => ({
  type: 'change-made',
  sessionId: 'here',
  change: { id, operation, seen: state.tasks, sentRevision: null },
});
const sent = (changeId: string, revision: number): PlanAction => ({
  type: 'change-sent',
  sessionId: 'here',
  changeId,
  revision,
});
const settled = (changeId: string, snapshot: TodoSnapshot | null): PlanAction => ({
  type: 'change-settled',
  sessionId: 'here',
  changeId,
  snapshot,
});
const ids = (state: PlanState) => state.tasks.map((task) => task.id);
const texts = (state: PlanState) => state.tasks.map((task) => task.text);

describe('the revision gate', () => {
  const snapshots = fc.array(
    fc.record({ revision: fc.nat(12), sessionId: fc.constantFrom('here', 'elsewhere'), isRead: fc.boolean() }),
  );

  it('ends at the newest plan of its own session, in whatever order reads and events arrive, repeats included', () => {
    fc.assert(
      fc.property(snapshots, (arrivals) => {
        const state = fold(
          arrivals.map(({ revision, sessionId, isRead }) => {
            const snapshot = plan(revision, [`${sessionId}-${revision}`], sessionId);
            return isRead ? read(snapshot) : told(snapshot);
          }),
        );
        const own = arrivals.filter(({ sessionId }) => sessionId === 'here').map(({ revision }) => revision);
        if (own.length === 0) expect(state.snapshot).toBeNull();
        else expect(ids(state)).toEqual([`here-${Math.max(...own)}`]);
      }),
    );
  });

  it('never shows an older plan after a newer one', () => {
    fc.assert(
      fc.property(snapshots, (arrivals) => {
        let state = initialPlanState('here');
        let last = -1;
        for (const { revision, sessionId } of arrivals) {
          state = planReducer(state, told(plan(revision, ['a'], sessionId)));
          expect(state.snapshot?.revision ?? -1).toBeGreaterThanOrEqual(last);
          last = state.snapshot?.revision ?? -1;
        }
      }),
    );
  });

  it('takes an empty list with a newer revision as a clear, and one that is not newer as nothing', () => {
    const state = fold([read(plan(3, ['a', 'b']))]);
    expect(ids(fold([told(plan(3, []))], state))).toEqual(['a', 'b']);
    expect(ids(fold([told(plan(4, []))], state))).toEqual([]);
  });

  it('B02: a late event of another session, under either name, changes nothing', () => {
    const state = fold([read(plan(1, ['a']))]);
    expect(fold([told(plan(9, ['x'], 'elsewhere'))], state)).toBe(state);
    expect(fold([told(plan(9, ['x']), 'elsewhere')], state)).toBe(state);
    expect(fold([{ ...settled('c', plan(9, ['x'])), sessionId: 'elsewhere' } as PlanAction], state)).toBe(state);
  });

  it('keeps the identity of steps that did not change, so that only the others are painted', () => {
    const before = fold([read(plan(1, ['a', 'b']))]);
    const next = plan(2, ['a', 'b']);
    next.tasks[1] = step('b', { status: 'done' });
    const after = fold([told(next)], before);
    expect(after.tasks[0]).toBe(before.tasks[0]);
    expect(after.tasks[1]).not.toBe(before.tasks[1]);
  });
});

describe('own changes', () => {
  const base = fold([read(plan(5, ['a', 'b', 'c']))]);
  const add: PlanOperation = { kind: 'add', temporaryId: 'new-1', draft: { text: 'Mine' } };

  it('show at once, and go back when refused', () => {
    const shown = fold([made('1', { kind: 'remove', stepId: 'b' }, base)], base);
    expect(ids(shown)).toEqual(['a', 'c']);
    expect(ids(fold([settled('1', null)], shown))).toEqual(['a', 'b', 'c']);
  });

  it('lie on top of what others change meanwhile', () => {
    const shown = fold([made('1', { kind: 'move', stepId: 'c', afterId: null }, base)], base);
    expect(ids(fold([told(plan(6, ['a', 'b', 'c', 'd']))], shown))).toEqual(['c', 'a', 'b', 'd']);
  });

  it('are never shown twice: the event with the change takes it off before the answer comes', () => {
    let state = fold([made('1', add, base), sent('1', 5)], base);
    expect(texts(state).filter((text) => text === 'Mine')).toHaveLength(1);
    const answer = plan(6, ['a', 'b', 'c']);
    answer.tasks.push(step('d', { text: 'Mine', source: 'user' }));
    state = fold([told(answer)], state);
    expect(texts(state).filter((text) => text === 'Mine')).toHaveLength(1);
    expect(ids(state)).toEqual(['a', 'b', 'c', 'd']);
    expect(ids(fold([settled('1', answer)], state))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of somebody else under the same revision does not take ours off', () => {
    const state = fold([made('1', add, base), sent('1', 5), told(plan(6, ['a', 'b', 'c', 'theirs']))], base);
    expect(texts(state)).toEqual(['Text of a', 'Text of b', 'Text of c', 'Text of theirs', 'Mine']);
  });

  it('follow a step from its own name to the one that the server gave it', () => {
    const shown = fold([made('1', add, base)], base);
    const both = fold([made('2', { kind: 'update', stepId: 'new-1', changes: { status: 'done' } }, shown)], shown);
    const answer = plan(6, ['a', 'b', 'c']);
    answer.tasks.push(step('step-9', { text: 'Mine' }));
    const state = fold([settled('1', answer)], both);
    expect(state.pending[0]?.operation).toMatchObject({ stepId: 'step-9' });
    expect(state.tasks.at(-1)).toMatchObject({ id: 'step-9', status: 'done' });
    expect(idNow(state, 'new-1')).toBe('step-9');
  });

  it('leave what the server says once all are settled, whatever was shown in between', () => {
    const operations: fc.Arbitrary<PlanOperation> = fc.oneof(
      fc.record({ kind: fc.constant('remove' as const), stepId: fc.constantFrom('a', 'b', 'c', 'gone') }),
      fc.record({
        kind: fc.constant('move' as const),
        stepId: fc.constantFrom('a', 'b', 'c', 'gone'),
        afterId: fc.constantFrom('a', 'b', 'c', 'gone', null),
      }),
      fc.record({
        kind: fc.constant('update' as const),
        stepId: fc.constantFrom('a', 'b'),
        changes: fc.record({ status: fc.constantFrom('done' as const, 'failed' as const) }),
      }),
      fc.constant(add),
      fc.constant({ kind: 'clear' as const }),
    );
    fc.assert(
      fc.property(fc.array(operations, { maxLength: 6 }), fc.array(fc.nat(10)), (list, revisions) => {
        let state = base;
        list.forEach((operation, index) => {
          state = planReducer(state, made(String(index), operation, state));
        });
        for (const revision of revisions) state = planReducer(state, told(plan(revision, [`r${revision}`])));
        for (let index = 0; index < list.length; index++) state = planReducer(state, settled(String(index), null));
        expect(state.pending).toEqual([]);
        expect(state.tasks).toEqual(state.snapshot?.tasks);
        expect(state.snapshot?.revision).toBe(Math.max(5, ...revisions));
      }),
    );
  });
});

describe('the state of the run', () => {
  const event = (value: SessionEvent): PlanAction => ({ type: 'event', sessionId: 'here', event: value });

  it('B04: a step in progress rests when no run is live, and not before that is known', () => {
    const unknown = initialPlanState('here');
    expect(isRunLive(unknown)).toBe(true);
    const snapshot = { kind: 'snapshot', lastSequence: 0, run: null, approvals: [], queue: [] } as const;
    const idle = fold([event({ ...snapshot, approvals: [], queue: [], runState: 'interrupted' } as SessionEvent)]);
    expect(isRunLive(idle)).toBe(false);
    const started = fold(
      [event({ kind: 'run-start', runId: 'r', model: 'm', startedAt: '2026-11-29T12:00:00Z' })],
      idle,
    );
    expect(isRunLive(started)).toBe(true);
    const ended = event({ kind: 'run-end', runId: 'r', status: 'done', turnEnd: null, runState: 'idle' });
    expect(isRunLive(fold([ended], started))).toBe(false);
  });

  it('the planning phase is told while it goes on, and no longer', () => {
    const status = (state: 'running' | 'done' | 'direct') =>
      event({ kind: 'planning-status', runId: 'r', phase: 'plan', state, text: 'Writing the plan' });
    const going = fold([status('running')]);
    expect(going.planning).toEqual({ phase: 'plan', text: 'Writing the plan' });
    const ready = event({ kind: 'plan-ready', runId: 'r', sequenceNumber: 2, revision: 1, stepCount: 3 });
    for (const end of [status('done'), status('direct'), ready]) expect(fold([end], going).planning).toBeNull();
  });

  it('a removed session keeps its plan to look at', () => {
    const state = fold([read(plan(2, ['a'])), event({ kind: 'session-removed' })]);
    expect(state.isRemoved).toBe(true);
    expect(ids(state)).toEqual(['a']);
    // Taken back in another tab: this one begins to listen anew.
    const snapshot = { kind: 'snapshot', lastSequence: 0, run: null, runState: 'idle' } as const;
    const back = fold([event({ ...snapshot, approvals: [], queue: [] } as SessionEvent)], state);
    expect([back.isRemoved, ids(back)]).toEqual([false, ['a']]);
  });
});
