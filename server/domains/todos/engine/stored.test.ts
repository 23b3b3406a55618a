import { describe, expect, it } from 'vitest';
import { formatKeyValuePlan, nextStepNumberOf, parseKeyValuePlan, parseTasks } from './stored';

describe('rows of older versions', () => {
  it('load with their defaults', () => {
    expect(parseTasks([{ text: 'Ship it', status: 'done', validation: 'it runs' }, { text: 'Rest' }])).toEqual([
      {
        id: 'step-1',
        text: 'Ship it',
        status: 'done',
        priority: 'medium',
        validation: 'it runs',
        note: null,
        source: 'agent',
        protocolRunId: null,
        stepId: null,
        executor: null,
        changedAt: null,
      },
      expect.objectContaining({ id: 'step-2', status: 'pending', validation: null }),
    ]);
  });

  it('keep the provenance that seed 000 names in snake case, and take nulls as not given', () => {
    const [step] = parseTasks([
      { text: 'x', source: 'protocol', protocol_run_id: 'run-1', step_id: 'gather', priority: null },
    ]);
    expect(step).toMatchObject({ source: 'protocol', protocolRunId: 'run-1', stepId: 'gather', priority: 'medium' });
  });

  it('lose no step to a field that is odd: it takes its default, and the others stand', () => {
    const odd = {
      text: 'x',
      status: 'blocked',
      source: '',
      priority: 1,
      validation: 'seen',
      note: {},
      executor: 'me',
      id: 4,
    };
    const [step, next] = parseTasks([odd, { text: 'y', status: 'done', source: 'plan', changedAt: 12 }]);
    expect(step).toEqual({
      id: 'step-1',
      text: 'x',
      status: 'pending',
      priority: 'medium',
      validation: 'seen',
      note: null,
      source: 'agent',
      protocolRunId: null,
      stepId: null,
      executor: null,
      changedAt: null,
    });
    expect(next).toMatchObject({ text: 'y', status: 'done', source: 'plan', changedAt: null });
  });

  it('give a step without an id a number that no other has, the same at every reading', () => {
    const raw = [{ text: 'a' }, { text: 'b', id: 'step-1' }, { text: 'c', id: 'step-7' }, { text: 'd' }];
    const ids = parseTasks(raw).map((step) => step.id);
    expect(ids).toEqual(['step-8', 'step-1', 'step-7', 'step-9']);
    expect(parseTasks(raw).map((step) => step.id)).toEqual(ids);
    // The row's own counter never knew about these numbers.
    expect(nextStepNumberOf(parseTasks(raw), 1)).toBe(10);
  });

  it.each(['', '{', 'null', '42', '"text"', '[1]', '[{"status":"done"}]', '[{"text":7}]', '{}'])(
    '%j is no plan',
    (text) => {
      expect(parseKeyValuePlan(text)).toBeNull();
    },
  );

  it('survive the fallback store and back', () => {
    const plan = {
      tasks: parseTasks([{ text: 'a', protocol_run_id: 'r', step_id: 's' }]),
      revision: 4,
      updatedAt: '2026-01-01T00:00:00.000Z',
      nextStepNumber: 9,
      recoveryNotedRevision: 3,
    };
    expect(parseKeyValuePlan(formatKeyValuePlan(plan))).toEqual(plan);
  });
});
