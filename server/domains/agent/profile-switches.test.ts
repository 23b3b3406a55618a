/** Every switch of a profile that neither built-in profile throws, in a run. */
import { expect, it } from 'vitest';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, type Reply, say } from '../../testing/scripted-model';
import { useApps } from '../../testing/use-apps';
import { defaultProfile } from '../profiles/built-in';
import type { Profile } from '../profiles/schema';

const call = (name: string, args: Record<string, unknown> = {}): Reply => callTools({ name, arguments: args });
const todo = (args: Record<string, unknown>): Reply => call('todo', args);

describeEachEngine('a profile', (getDatabase) => {
  const openApp = useApps(getDatabase);

  /** A session under the default profile with these switches. */
  async function open(switches: {
    planning?: Partial<Profile['planning']>;
    discipline?: Partial<Profile['discipline']>;
  }): Promise<{ app: TestApp; sessionId: string }> {
    const special: Profile = {
      ...defaultProfile,
      id: 'special',
      planning: { ...defaultProfile.planning, ...switches.planning },
      discipline: { ...defaultProfile.discipline, ...switches.discipline },
    };
    const app = await openApp({ profiles: [defaultProfile, special] });
    // A name, so that naming asks for no answer of the script.
    const { id } = await app.api.sessions.create({ profileId: 'special', name: 'Named' });
    return { app, sessionId: id };
  }
  async function play(app: TestApp, sessionId: string, text = 'Work'): Promise<void> {
    await app.send(sessionId, text);
    await app.untilIdle(sessionId);
  }
  const messagesOf = async (app: TestApp, sessionId: string) =>
    (await app.api.messages.page({ sessionId, limit: 100 })).messages;
  const resultsOf = async (app: TestApp, sessionId: string) =>
    (await messagesOf(app, sessionId)).filter((message) => message.role === 'tool').map((message) => message.content);
  const tasksOf = async (app: TestApp, sessionId: string) =>
    (await app.api.todos.get({ sessionId })).tasks.map(({ text, status }) => [text, status]);
  const logsOf = async (app: TestApp, sessionId: string) => (await app.api.debug.planning({ sessionId })).items;
  const noticesOf = (app: TestApp, at: number) => JSON.stringify(app.model.calls[at]?.prompt.at(-1)?.content ?? '');
  const planToolsOf = (app: TestApp) =>
    app.model.calls[0]?.tools.map(({ name }) => name).filter((name) => /plan|todo/.test(name));

  it("with AgentPool's declarative tools writes its plan whole, is reminded of it, and knows no other plan tool", async () => {
    const { app, sessionId } = await open({ discipline: { planTools: 'declarative' } });
    const entries = [{ content: 'Look', status: 'in_progress' }, { content: 'Write' }];
    app.model.replies.push(
      call('set_plan', { entries }),
      call('get_plan'),
      todo({ action: 'clear' }),
      call('set_plan', { entries: entries.map((entry) => ({ ...entry, status: 'completed' })) }),
      say('Done.'),
    );
    await play(app, sessionId);
    expect(planToolsOf(app)).toEqual(['get_plan', 'set_plan']);
    expect(await resultsOf(app, sessionId)).toEqual([
      'Plan updated with 2 entries',
      '## Plan\n\n0. ◐ 🟡 Look *(in_progress)*\n1. ⬚ 🟡 Write *(pending)*',
      expect.stringMatching(/^There is no tool named "todo"/),
      'Plan updated with 2 entries',
    ]);
    expect(noticesOf(app, 1)).toContain('1. ◎ Look');
    expect(await tasksOf(app, sessionId)).toEqual([
      ['Look', 'done'],
      ['Write', 'done'],
    ]);
  });

  it("with AgentPool's granular tools changes its plan entry by entry", async () => {
    const { app, sessionId } = await open({ discipline: { planTools: 'granular' } });
    app.model.replies.push(
      call('add_plan_entry', { content: 'Write' }),
      call('add_plan_entry', { content: 'Look', index: 0 }),
      call('add_plan_entry', { content: 'Rest' }),
      call('update_plan_entry', { index: 0, status: 'completed' }),
      call('remove_plan_entry', { index: 2 }),
      say('Done.'),
    );
    await play(app, sessionId);
    expect(planToolsOf(app)).toEqual(['get_plan', 'add_plan_entry', 'update_plan_entry', 'remove_plan_entry']);
    expect(noticesOf(app, 5)).toContain('1. ✓ Look');
    expect(await tasksOf(app, sessionId)).toEqual([
      ['Look', 'done'],
      ['Write', 'pending'],
    ]);
  });

  it('without an analysis writes its plan at once', async () => {
    const { app, sessionId } = await open({ planning: { isEnabled: true, hasAnalysis: false, hasReview: true } });
    app.model.replies.push(say('1. Look\n2. Write'), say('On it.'));
    await play(app, sessionId);
    expect(noticesOf(app, 0)).toContain('[Planning: plan]');
    const [log] = await logsOf(app, sessionId);
    expect([log?.outcome, log?.phases.map(({ phase }) => phase)]).toEqual(['planned', ['plan']]);
    expect(await tasksOf(app, sessionId)).toEqual([
      ['Look', 'pending'],
      ['Write', 'pending'],
    ]);
  });

  it('without a plan looks at the task only: it is logged, and no list and no card come of it', async () => {
    const { app, sessionId } = await open({ planning: { isEnabled: true, hasPlan: false } });
    const watcher = app.watch(sessionId);
    app.model.replies.push(say('Goal: x\nREFLECT: yes'), say('On it.'));
    await play(app, sessionId);
    const log = await logsOf(app, sessionId);
    // A second look is another switch, and that one is off.
    expect(log).toMatchObject([{ outcome: 'analysed', planSequence: null, phases: [{ phase: 'analysis' }] }]);
    await watcher.until(
      (event) => event.kind === 'planning-status' && event.state === 'done' && event.text === 'The task was looked at',
    );
    await watcher.stop();
    expect((await messagesOf(app, sessionId)).map((message) => message.content)).toEqual(['Work', 'On it.']);
    expect((await app.api.todos.get({ sessionId })).revision).toBe(0);
    // A person who asks for a plan gets one all the same.
    app.model.replies.push(say('Goal: y\nREFLECT: no'), say('1. Look'), say('On it.'));
    await app.api.messages.send({ sessionId, clientMessageId: 'asked', text: 'Now with a plan', plan: true });
    await app.untilIdle(sessionId);
    expect((await logsOf(app, sessionId))[0]?.outcome).toBe('planned');
  });

  it('without anti-stall and anchoring leaves the agent alone until its own budget of steps, which it is told of', async () => {
    const budget = 16;
    const { app, sessionId } = await open({
      discipline: { stallLimitSteps: null, anchorEverySteps: null, stepBudget: budget },
    });
    app.model.replies.push(todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }] }));
    app.model.fallback = todo({ action: 'view' });
    await play(app, sessionId);
    const notices = app.model.calls.map((_, at) => noticesOf(app, at));
    expect(notices).toHaveLength(budget);
    expect(notices.filter((notice) => /\[Stalled plan\]|\[Goal\]/.test(notice))).toEqual([]);
    expect(notices.filter((notice) => notice.includes('[Budget]'))).toHaveLength(5);
    expect((await messagesOf(app, sessionId)).at(-1)?.metadata.error).toMatchObject({
      code: 'step-limit',
      message: expect.stringContaining(`after ${budget} steps`),
    });
  });

  it('with limits of its own goes by those', async () => {
    const { app, sessionId } = await open({ discipline: { stallLimitSteps: 2, anchorEverySteps: 2 } });
    app.model.replies.push(todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }] }));
    app.model.fallback = todo({ action: 'view' });
    await play(app, sessionId, 'Find the key');
    // Set in the first step, unchanged in the three after it: told after two of them, ended after the third.
    expect(app.model.calls).toHaveLength(4);
    expect(noticesOf(app, 2)).toContain('[Goal] 2 steps are done. The person asked: \\"Find the key\\"');
    expect(noticesOf(app, 3)).toContain('[Stalled plan] 2 steps went by');
    expect((await messagesOf(app, sessionId)).at(-1)?.metadata.error).toMatchObject({ code: 'plan-stalled' });
  });

  it('without re-planning says nothing of a step that failed', async () => {
    for (const replansAfterFailure of [true, false]) {
      const { app, sessionId } = await open({ discipline: { replansAfterFailure } });
      app.model.replies.push(
        todo({ action: 'set', tasks: ['Look', 'Write'] }),
        todo({ action: 'update', index: 1, status: 'failed', note: 'no network' }),
        say('It did not work.'),
      );
      await play(app, sessionId);
      expect(noticesOf(app, 2).includes('[Re-plan]')).toBe(replansAfterFailure);
    }
  });
});
