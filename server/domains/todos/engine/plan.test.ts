import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_STEPS, type StepDraft, type StepStatus } from '../schema';
import {
  addStep,
  type ChangeContext,
  clearSteps,
  closeProtocolSteps,
  currentPosition,
  emptyPlan,
  fillFromPlanning,
  findStep,
  insertSteps,
  moveStep,
  type Plan,
  protocolStepStates,
  removeStep,
  setSteps,
  updateStep,
} from './plan';

const context: ChangeContext = { source: 'agent', at: '2026-01-01T00:00:00.000Z' };
const later: ChangeContext = { source: 'agent', at: '2026-01-02T00:00:00.000Z' };
const planOf = (...drafts: StepDraft[]): Plan => setSteps(emptyPlan, drafts, context);
const texts = (plan: Plan) => plan.tasks.map((step) => step.text);
const ids = (plan: Plan) => plan.tasks.map((step) => step.id);

describe('ids', () => {
  it('never come back after a removal or a clear', () => {
    let plan = planOf({ text: 'a' }, { text: 'b' });
    plan = clearSteps(removeStep(plan, 1));
    expect(ids(addStep(plan, { text: 'c' }, null, context))).toEqual(['step-3']);
  });

  it('stay with a step whose list is written anew, by id first and by text else', () => {
    const plan = planOf({ text: 'Look around' }, { text: 'Write' }, { text: 'Check' });
    const next = setSteps(plan, [{ text: 'write ' }, { id: 'step-3', text: 'Check twice' }, { text: 'New' }], later);
    expect(ids(next)).toEqual(['step-2', 'step-3', 'step-4']);
  });

  it('of an unknown draft are given by us, not taken', () => {
    expect(ids(setSteps(emptyPlan, [{ id: 'mine', text: 'a' }], context))).toEqual(['step-1']);
  });

  it('are unique after any series of changes, and no change loses a step that it does not name', () => {
    const draft = fc.record({ text: fc.constantFrom('a', 'b', 'c', 'd') });
    const change = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), drafts: fc.array(draft, { maxLength: 6 }) }),
      fc.record({ kind: fc.constant('add' as const), draft, at: fc.option(fc.integer({ min: -2, max: 9 })) }),
      fc.record({ kind: fc.constant('remove' as const), at: fc.nat(9) }),
      fc.record({ kind: fc.constant('move' as const), from: fc.nat(9), to: fc.integer({ min: -2, max: 12 }) }),
      fc.record({ kind: fc.constant('insert' as const), texts: fc.array(fc.constantFrom('x', 'y'), { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('fill' as const), count: fc.nat(4) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
        let plan: Plan = emptyPlan;
        const given = new Set<string>();
        for (const one of changes) {
          const before = plan;
          if (one.kind === 'set') plan = setSteps(plan, one.drafts, context);
          else if (one.kind === 'add') plan = addStep(plan, one.draft, one.at, context);
          else if (one.kind === 'remove') plan = removeStep(plan, one.at);
          else if (one.kind === 'move') plan = moveStep(plan, one.from, one.to);
          else if (one.kind === 'insert') {
            plan = insertSteps(
              plan,
              { texts: one.texts, after: null, protocolRunId: 'run', stepIds: null },
              context,
            ).plan;
          } else
            plan = fillFromPlanning(
              plan,
              Array.from({ length: one.count }, () => ({ text: 'p', executor: null })),
              context,
            );
          expect(new Set(ids(plan)).size).toBe(plan.tasks.length);
          if (one.kind === 'move') expect([...ids(plan)].sort()).toEqual([...ids(before)].sort());
          if (one.kind === 'add' || one.kind === 'insert')
            expect(ids(plan)).toEqual(expect.arrayContaining(ids(before)));
          for (const id of ids(plan)) {
            if (!ids(before).includes(id)) {
              expect(given.has(id)).toBe(false);
              given.add(id);
            }
          }
        }
      }),
    );
  });
});

describe('changes', () => {
  it('keep what a rewritten list leaves out: status, validation, source', () => {
    const plan = updateStep(planOf({ text: 'a' }), 0, { status: 'done', validation: 'looked' }, context.at);
    const byPerson = addStep(plan, { text: 'b' }, null, { source: 'user', at: context.at });
    const next = setSteps(byPerson, [{ text: 'a' }, { text: 'B' }], later);
    expect(next.tasks[0]).toMatchObject({ status: 'done', validation: 'looked', changedAt: context.at });
    expect(next.tasks[1]).toMatchObject({ text: 'B', source: 'user' });
  });

  it('move changedAt only when something changed', () => {
    const plan = planOf({ text: 'a' });
    expect(updateStep(plan, 0, { status: 'pending' }, later.at).tasks[0]?.changedAt).toBe(context.at);
    expect(updateStep(plan, 0, { note: 'n' }, later.at).tasks[0]?.changedAt).toBe(later.at);
  });

  it('of a done step back to open ask for a new validation', () => {
    const done = planOf({ text: 'a', status: 'done', validation: 'tests pass' });
    expect(updateStep(done, 0, { status: 'in_progress' }, later.at).tasks[0]?.validation).toBeNull();
    expect(updateStep(done, 0, { note: 'still done' }, later.at).tasks[0]?.validation).toBe('tests pass');
  });

  it.each([
    [0, 2, ['b', 'c', 'a']],
    [2, 0, ['c', 'a', 'b']],
    [1, 99, ['a', 'c', 'b']],
    [1, -3, ['b', 'a', 'c']],
    [7, 0, ['a', 'b', 'c']],
  ])('move step %i to %i', (from, to, expected) => {
    expect(texts(moveStep(planOf({ text: 'a' }, { text: 'b' }, { text: 'c' }), from, to))).toEqual(expected);
  });

  it('name steps by id or by 1-based position', () => {
    const plan = planOf({ text: 'a' }, { text: 'b' });
    expect(findStep(plan, { position: 2 })).toBe(1);
    expect(findStep(plan, { id: 'step-1' })).toBe(0);
    for (const reference of [{ position: 0 }, { position: 3 }, { id: 'step-9' }, {}]) {
      expect(findStep(plan, reference)).toBe(-1);
    }
  });
});

describe('protocol surgery (seed 000)', () => {
  const statuses = (...list: StepStatus[]) => planOf(...list.map((status, index) => ({ text: `s${index}`, status })));

  it.each<[StepStatus[], number]>([
    [[], 0],
    [['pending', 'pending'], 0],
    [['done', 'in_progress', 'pending'], 2],
    [['done', 'pending', 'failed', 'pending'], 3],
    [['done', 'skipped', 'pending'], 1],
  ])('the position reached in %j is %i', (list, position) => {
    expect(currentPosition(statuses(...list).tasks)).toBe(position);
  });

  it('splices a block behind the last step reached and leaves every other step as it was', () => {
    const plan = statuses('done', 'in_progress', 'pending');
    const insertion = { texts: ['p1', 'p2'], after: null, protocolRunId: 'run-1', stepIds: ['gather', 'weigh'] };
    const { plan: next, positions } = insertSteps(plan, insertion, { source: 'protocol', at: later.at });
    expect(positions).toEqual([3, 4]);
    expect(texts(next)).toEqual(['s0', 's1', 'p1', 'p2', 's2']);
    expect(next.tasks.filter((step) => step.protocolRunId === null)).toEqual(plan.tasks);
    expect(protocolStepStates(next.tasks, 'run-1')).toEqual([
      { position: 3, id: 'step-4', stepId: 'gather', text: 'p1', status: 'pending' },
      { position: 4, id: 'step-5', stepId: 'weigh', text: 'p2', status: 'pending' },
    ]);
  });

  it.each([
    [0, [1]],
    [2, [3]],
    [99, [4]],
    [-1, [1]],
  ])('inserts after position %i at %j', (after, positions) => {
    const insertion = { texts: ['p'], after, protocolRunId: 'r', stepIds: null };
    expect(insertSteps(statuses('done', 'done', 'pending'), insertion, context).positions).toEqual(positions);
  });

  it('skips the open steps of one run only, with the note', () => {
    const insert = (plan: Plan, run: string) =>
      insertSteps(plan, { texts: ['x', 'y'], after: 99, protocolRunId: run, stepIds: null }, context).plan;
    const plan = updateStep(
      insert(insert(emptyPlan, 'a'), 'b'),
      0,
      { status: 'done', validation: 'seen', note: 'kept' },
      context.at,
    );
    const closed = closeProtocolSteps(plan, 'a', 'not needed', later.at);
    expect(closed.positions).toEqual([2]);
    expect(closed.plan.tasks.map((step) => [step.status, step.note])).toEqual([
      ['done', 'kept'],
      ['skipped', 'not needed'],
      ['pending', null],
      ['pending', null],
    ]);
  });
});

describe('a new plan', () => {
  const byPerson: ChangeContext = { source: 'user', at: context.at };
  const fill = (plan: Plan, ...planned: string[]) =>
    fillFromPlanning(
      plan,
      planned.map((text) => ({ text, executor: { kind: 'tool', name: 'web_fetch' } })),
      later,
    );

  it('over one under way keeps what was begun and closed, and the open steps of people and protocols', () => {
    let plan = planOf(
      { text: 'checked', status: 'done', validation: 'seen' },
      { text: 'tried', status: 'failed', note: 'no network' },
      { text: 'begun', status: 'in_progress' },
      { text: 'planned anew' },
    );
    plan = addStep(plan, { text: 'by a person' }, null, byPerson);
    plan = addStep(plan, { text: 'ticked', status: 'done' }, null, byPerson);
    plan = insertSteps(plan, { texts: ['checklist'], after: 99, protocolRunId: 'r', stepIds: null }, context).plan;
    const filled = fill(plan, 'new');
    expect(texts(filled)).toEqual(['checked', 'tried', 'ticked', 'begun', 'new', 'by a person', 'checklist']);
    for (const step of filled.tasks) {
      if (step.text !== 'new') expect(plan.tasks).toContainEqual(step);
    }
  });

  it.each([
    ['finished', planOf({ text: 'a', status: 'done', validation: 'seen' }, { text: 'b', status: 'skipped' }), []],
    [
      'finished but for what a person noted down',
      addStep(planOf({ text: 'a', status: 'done', validation: 'seen' }), { text: 'call' }, null, byPerson),
      ['call'],
    ],
  ])('makes the list its own when the one before is %s', (_name, before, kept) => {
    expect(texts(fill(before, 'new'))).toEqual(['new', ...kept]);
  });

  it('has the same step once: an open one that it names again keeps its id, status and source', () => {
    let plan = planOf({ text: 'Write', status: 'in_progress' }, { text: 'Run the tests', status: 'done' });
    plan = addStep(plan, { text: 'Tell Anna' }, null, byPerson);
    const filled = fill(plan, 'write ', 'Run the tests', 'tell anna', 'Tell Anna');
    expect(filled.tasks.map(({ id, text, status, source }) => [id, text, status, source])).toEqual([
      ['step-2', 'Run the tests', 'done', 'agent'],
      ['step-1', 'Write', 'in_progress', 'agent'],
      ['step-4', 'Run the tests', 'pending', 'agent'],
      ['step-3', 'Tell Anna', 'pending', 'user'],
      ['step-5', 'Tell Anna', 'pending', 'agent'],
    ]);
    expect(filled.tasks[1]?.executor).toEqual({ kind: 'tool', name: 'web_fetch' });
  });

  it('never makes a list too long to be saved: the oldest closed steps make room', () => {
    const many = planOf(
      ...Array.from({ length: MAX_STEPS - 1 }, (_, index) => ({ text: `s${index}`, status: 'done' as const })),
      { text: 'begun', status: 'in_progress' },
    );
    const filled = fill(many, 'x', 'y');
    expect(filled.tasks).toHaveLength(MAX_STEPS);
    expect(texts(filled).slice(0, 1)).toEqual(['s2']);
    expect(texts(filled).slice(-3)).toEqual(['begun', 'x', 'y']);
  });
});
