import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanStep } from '../../../../server/domains/todos/schema';
import { changeWords, diffTasks } from './revision-diff';

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
const words = (before: PlanStep[], after: PlanStep[]) =>
  diffTasks(before, after).map((change) => `${changeWords(change)} ${change.text}`);

describe('what changed between two versions', () => {
  it('names statuses, wordings, additions and removals', () => {
    const before = [step('a'), step('b', { text: 'old words' }), step('c')];
    const after = [step('a', { status: 'done', validation: 'ran it' }), step('b', { text: 'new words' }), step('d')];
    expect(words(before, after)).toEqual(['Done a', 'Reworded new words', 'Added d', 'Removed c']);
  });

  it('says nothing of two versions that read the same', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(20).map(String)), (names) => {
        const tasks = names.map((name) => step(name));
        expect(diffTasks(tasks, [...tasks])).toEqual([]);
      }),
    );
  });

  it('one moved step is one move, not a move of all that it passed', () => {
    const [a, b, c, d] = [step('a'), step('b'), step('c'), step('d')];
    expect(words([a, b, c, d], [d, a, b, c])).toEqual(['Moved d']);
    expect(words([a, b, c, d], [b, c, d, a])).toEqual(['Moved a']);
  });
});
