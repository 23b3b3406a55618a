import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bringBackSteps } from '../../../../server/domains/todos/engine/plan';
import type { PlanStep } from '../../../../server/domains/todos/schema';
import { applyOperation, meansTheSame, moveIndex, type PlanOperation, type Tasks } from './operations';

const step = (id: string, changes: Partial<PlanStep> = {}): PlanStep =>
  ({
    id,
    text: id,
    status: 'pending',
    priority: 'medium',
    validation: null,
    note: null,
    source: 'agent',
    ...changes,
  }) as PlanStep;
const list = (...ids: string[]): Tasks => ids.map((id) => step(id));
const ids = (tasks: Tasks) => tasks.map((task) => task.id);

describe('operations', () => {
  it('move a step behind another, wherever either stands', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(30).map(String), { minLength: 2, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        (names, a, b) => {
          const tasks = list(...names);
          const stepId = names[a % names.length] as string;
          const others = names.filter((name) => name !== stepId);
          const index = b % names.length;
          const operation = {
            kind: 'move',
            stepId,
            afterId: index === 0 ? null : (others[index - 1] ?? null),
          } as const;
          const moved = applyOperation(tasks, operation);
          expect(ids(moved).indexOf(stepId)).toBe(index);
          expect(moveIndex(tasks, operation)).toBe(index);
          expect(ids(moved).filter((id) => id !== stepId)).toEqual(others);
        },
      ),
    );
  });

  it('bring steps back as the server does, whatever became of the plan meanwhile: as they were, at their places', () => {
    const names = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'x', 'y']);
    fc.assert(
      fc.property(names, names, names, (before, after, stepIds) => {
        const past = list(...before);
        const now = after.map((id) => step(id, { text: 'as it is now' }));
        const shown = applyOperation(now, { kind: 'bring-back', revision: 1, tasks: past, stepIds });
        expect(shown).toEqual(bringBackSteps({ tasks: now, nextStepNumber: 9 }, past, stepIds).tasks);
        expect(ids(shown).filter((id) => after.includes(id))).toEqual(after);
        for (const id of stepIds.filter((name) => before.includes(name) && !after.includes(name))) {
          expect(shown).toContain(past[before.indexOf(id)]);
        }
      }),
    );
    const undone = { kind: 'bring-back', revision: 1, tasks: list('a', 'b', 'c', 'd'), stepIds: ['a', 'c'] } as const;
    expect(ids(applyOperation(list('b', 'new', 'd'), undone))).toEqual(['a', 'b', 'c', 'new', 'd']);
    expect(ids(applyOperation(list('d'), undone))).toEqual(['a', 'c', 'd']);
  });

  it('on a step that is gone change nothing', () => {
    const tasks = list('a', 'b');
    const gone: PlanOperation[] = [
      { kind: 'move', stepId: 'x', afterId: null },
      { kind: 'move', stepId: 'a', afterId: 'x' },
      { kind: 'remove', stepId: 'x' },
      { kind: 'update', stepId: 'x', changes: { text: 'new' } },
    ];
    for (const operation of gone) expect(applyOperation(tasks, operation)).toEqual(tasks);
  });
});

describe('what is sent again on a newer plan', () => {
  const seen = list('a', 'b');

  it('is only what nobody else touched', () => {
    const rename: PlanOperation = { kind: 'update', stepId: 'a', changes: { text: 'mine' } };
    expect(meansTheSame(rename, seen, [step('a', { status: 'done' }), step('b'), step('c')])).toBe(true);
    expect(meansTheSame(rename, seen, [step('a', { text: 'theirs' }), step('b')])).toBe(false);
    expect(meansTheSame(rename, seen, list('b'))).toBe(false);
  });

  it('removes no step that was changed since it was looked at', () => {
    const remove: PlanOperation = { kind: 'remove', stepId: 'b' };
    expect(meansTheSame(remove, seen, list('b', 'c'))).toBe(true);
    expect(meansTheSame(remove, seen, [step('b', { status: 'in_progress' })])).toBe(false);
  });

  it('clears and restores only the plan that was seen', () => {
    expect(meansTheSame({ kind: 'clear' }, seen, list('a', 'b'))).toBe(true);
    expect(meansTheSame({ kind: 'clear' }, seen, list('a', 'b', 'c'))).toBe(false);
    // What comes back is written over nothing.
    const back: PlanOperation = { kind: 'bring-back', revision: 1, tasks: seen, stepIds: ['a'] };
    expect(meansTheSame(back, seen, list('c'))).toBe(true);
  });
});
