import { describe, expect, it } from 'vitest';
import { defaultProfile } from '../../../profiles/built-in';
import { type DisciplineFacts, type DisciplineState, initialDiscipline, judgeStep, stallStopSteps } from './discipline';

type Task = DisciplineFacts['tasks'][number];
const task = (id: string, status: Task['status'], note: string | null = null): Task => ({
  id,
  text: `do ${id}`,
  status,
  note,
  validation: null,
});
const switches = defaultProfile.discipline;

/** Plays a turn; `plans[n]` is the plan before step n + 1, the last one stays. */
function play(plans: readonly Task[][], steps: number, change: Partial<DisciplineFacts> = {}) {
  let state: DisciplineState = initialDiscipline;
  const seen: { step: number; notices: string[]; isStalled: boolean }[] = [];
  for (let step = 1; step <= steps; step++) {
    const tasks = plans[Math.min(step, plans.length) - 1] ?? [];
    const judgement = judgeStep(state, { tasks, step, maxSteps: 50, goal: 'the goal', switches, ...change });
    state = judgement.state;
    seen.push({ step, notices: judgement.notices, isStalled: judgement.isStalled });
    if (judgement.isStalled) break;
  }
  return seen;
}
const stepsWith = (seen: ReturnType<typeof play>, word: string) =>
  seen.filter(({ notices }) => notices.some((notice) => notice.startsWith(word))).map(({ step }) => step);

describe('anti-stall', () => {
  const working = [task('a', 'in_progress'), task('b', 'pending')];

  it('tells the agent after 8 steps without a change, and ends the run after 4 more', () => {
    const seen = play([working], 30);
    expect(stepsWith(seen, '[Stalled plan]')).toEqual([9, 10, 11, 12, 13]);
    expect(seen.at(-1)).toMatchObject({ step: 13, isStalled: true });
    expect(stallStopSteps(8)).toBe(12);
  });

  it('begins anew with any change: a status, a note, a step of a person', () => {
    const noted = [task('a', 'in_progress', 'still reading'), task('b', 'pending')];
    const plans = [...Array.from({ length: 8 }, () => working), noted];
    expect(stepsWith(play(plans, 16), '[Stalled plan]')).toEqual([]);
    expect(stepsWith(play(plans, 17), '[Stalled plan]')).toEqual([17]);
  });

  it('leaves a turn alone that has nothing to do with the plan: all closed or empty', () => {
    for (const plan of [[], [task('a', 'done')]]) {
      const seen = play([plan], 40);
      expect(seen.every(({ isStalled }) => !isStalled)).toBe(true);
      expect([...stepsWith(seen, '[Stalled plan]'), ...stepsWith(seen, '[Open plan]')]).toEqual([]);
    }
  });

  it('tells of a plan that was pending before the turn and stays untouched, every 8 steps, and stops nobody for it', () => {
    const seen = play([[task('a', 'pending')]], 40);
    expect(stepsWith(seen, '[Open plan]')).toEqual([9, 17, 25, 33]);
    expect(stepsWith(seen, '[Stalled plan]')).toEqual([]);
    expect(seen).toHaveLength(40);
    // Once the turn works on it, it can stall like any other.
    const begun = [...Array.from({ length: 9 }, () => [task('a', 'pending')]), [task('a', 'in_progress')]];
    expect(stepsWith(play(begun, 30), '[Stalled plan]')[0]).toBe(18);
  });

  it('counts for a plan that this turn made, before any of its steps is begun', () => {
    expect(play([[], [task('a', 'pending')]], 30).at(-1)).toMatchObject({ step: 14, isStalled: true });
  });

  it('is off with its switch', () => {
    const off = { switches: { ...switches, stallLimitSteps: null } };
    expect(play([working], 45, off).some(({ isStalled }) => isStalled)).toBe(false);
  });
});

describe('the other notices', () => {
  it('say the goal every 5 steps, shortened, unless switched off or there is none', () => {
    const long = play([[]], 12, { goal: 'word '.repeat(500) });
    expect(stepsWith(long, '[Goal]')).toEqual([6, 11]);
    expect(long[5]?.notices[0]?.length).toBeLessThan(560);
    expect(stepsWith(play([[]], 12, { goal: null }), '[Goal]')).toEqual([]);
    expect(stepsWith(play([[]], 12, { switches: { ...switches, anchorEverySteps: null } }), '[Goal]')).toEqual([]);
  });

  it('speak of the budget in its last five steps, and ask for the answer in the last one', () => {
    const seen = play([[]], 10, { maxSteps: 10 });
    expect(stepsWith(seen, '[Budget]')).toEqual([6, 7, 8, 9, 10]);
    expect(seen.at(-1)?.notices.at(-1)).toContain('last step');
    // A budget of few steps is no reason to hurry before the first.
    expect(stepsWith(play([[]], 1, { maxSteps: 1 }), '[Budget]')).toEqual([]);
  });

  it('ask for a new plan once for each failure of this turn', () => {
    const failed = [task('a', 'failed', 'no network'), task('b', 'pending')];
    const seen = play([[task('a', 'in_progress'), task('b', 'pending')], failed, failed], 5);
    expect(stepsWith(seen, '[Re-plan]')).toEqual([2]);
    expect(seen[1]?.notices[0]).toContain('step 1 (do a): no network');
    // What failed in an earlier turn was spoken of then.
    expect(stepsWith(play([failed], 5), '[Re-plan]')).toEqual([]);
    const off = { switches: { ...switches, replansAfterFailure: false } };
    expect(stepsWith(play([[task('a', 'in_progress')], failed], 5, off), '[Re-plan]')).toEqual([]);
  });
});
