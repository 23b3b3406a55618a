import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../lib/clock';
import { createDemoModel } from '../../../providers/demo/demo-model';
import { ModelCallError } from '../../../providers/types';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../testing/app';
import { describeEachEngine } from '../../../testing/database';
import { createDemoCaller } from '../../../testing/demo-caller';
import { callTools, createGate, say, sayAround } from '../../../testing/scripted-model';
import { killOwner, QUIET_LEASE_MS } from '../../../testing/use-apps';

const PLAN = '1. Look [TOOL: todo]\n2. Write it down [SELF]';

describeEachEngine('the planning phase', (getDatabase) => {
  const apps: TestApp[] = [];
  async function open(options: TestAppOptions = {}): Promise<TestApp> {
    const app = await createTestApp(getDatabase(), options);
    apps.push(app);
    return app;
  }
  afterEach(async () => {
    for (const app of apps.splice(0)) {
      await app.close();
      expect(app.unexpected).toEqual([]);
    }
    await getDatabase().reset();
  });
  const sendPlanned = (app: TestApp, sessionId: string, text = 'Do the thing', clientMessageId = crypto.randomUUID()) =>
    app.api.messages.send({ sessionId, clientMessageId, text, plan: true });
  const logsOf = async (app: TestApp, sessionId: string) => (await app.api.debug.planning({ sessionId })).items;
  const noticeOf = (app: TestApp, call: number) => JSON.stringify(app.model.calls[call]?.prompt.at(-1)?.content ?? '');

  it('asked for once gives a card out of context, the filled plan, its progress and its log; the next turn does not plan', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'the person wants this too' }] });
    const watcher = app.watch(sessionId);
    app.model.replies.push(say('Goal: x\n', 'REFLECT: no'), say(PLAN), say('On it.'));
    await sendPlanned(app, sessionId);
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map(({ role, isPlan, isContext, content }) => [role, isPlan, isContext, content])).toEqual([
      ['user', false, true, 'Do the thing'],
      ['assistant', true, false, '1. Look *(tool: todo)*\n2. Write it down'],
      ['assistant', false, true, 'On it.'],
    ]);
    expect(messages[1]?.metadata.planSteps).toEqual([
      { text: 'Look', executor: { kind: 'tool', name: 'todo' } },
      { text: 'Write it down', executor: { kind: 'self', name: null } },
    ]);
    const plan = await app.api.todos.get({ sessionId });
    expect(plan.tasks.map(({ text, source, executor }) => [text, source, executor?.kind ?? null])).toEqual([
      ['Look', 'plan', 'tool'],
      ['Write it down', 'plan', 'self'],
      ['the person wants this too', 'user', null],
    ]);
    // No tools while planning; the step after it has them, and the plan.
    expect(app.model.calls.map((call) => call.tools.length > 0).slice(0, 3)).toEqual([false, false, true]);
    expect(noticeOf(app, 2)).toContain('1. ○ Look');
    await watcher.until((event) => event.kind === 'run-end');
    const told = watcher.events.map(({ event }) => event);
    const phases = told.flatMap((event) => (event.kind === 'planning-status' ? [`${event.phase} ${event.state}`] : []));
    expect(phases.filter((one) => one.endsWith('done'))).toEqual(['analysis done', 'plan done']);
    expect(told.find((event) => event.kind === 'plan-ready')).toMatchObject({
      sequenceNumber: 2,
      stepCount: 2,
      revision: plan.revision,
    });
    await watcher.stop();
    const [log] = await logsOf(app, sessionId);
    expect(log).toMatchObject({ outcome: 'planned', planSequence: 2, afterSequence: 1 });
    expect(log?.phases.map(({ phase, output, tokensIn }) => [phase, output, tokensIn])).toEqual([
      ['analysis', 'Goal: x\nREFLECT: no', 100],
      ['plan', PLAN, 100],
    ]);
    // Its tokens are the turn's.
    expect(messages[2]?.metadata.turnEnd?.tokensIn).toBe(300);
    await app.send(sessionId, 'And now?');
    await app.untilIdle(sessionId);
    expect(await logsOf(app, sessionId)).toHaveLength(1);
  });

  it('of a profile may answer DIRECT: no card, no plan, a log', async () => {
    const app = await open();
    const { id: sessionId } = await app.api.sessions.create({ profileId: 'coder' });
    app.model.replies.push(say('DIRECT'), say('42.'));
    await app.send(sessionId, 'What is 6 x 7?');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map((message) => message.content)).toEqual(['What is 6 x 7?', '42.']);
    expect((await app.api.todos.get({ sessionId })).revision).toBe(0);
    expect(await logsOf(app, sessionId)).toMatchObject([{ outcome: 'direct', phases: [{ phase: 'analysis' }] }]);
  });

  it('takes a second look when the analysis asks for it and the profile allows it', async () => {
    const app = await open();
    const { id: sessionId } = await app.api.sessions.create({ profileId: 'coder' });
    app.model.replies.push(say('Goal: x\nREFLECT: yes'), say('Critic: careful'), say(PLAN), say('On it.'));
    await app.send(sessionId, 'Change the parser');
    await app.untilIdle(sessionId);
    expect(noticeOf(app, 2)).toContain('The review:\\nCritic: careful');
    expect((await logsOf(app, sessionId))[0]?.phases.map((phase) => phase.phase)).toEqual([
      'analysis',
      'review',
      'plan',
    ]);
  });

  it('goes on without a plan when none can be read, and a person who asks for one is not answered DIRECT', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(say('DIRECT'), say('I would rather not.'), say('Well.'));
    await sendPlanned(app, sessionId);
    await app.untilIdle(sessionId);
    expect((await app.api.messages.page({ sessionId })).messages.at(-1)?.content).toBe('Well.');
    expect(await logsOf(app, sessionId)).toMatchObject([{ outcome: 'unreadable', planSequence: null }]);
  });

  it('of a queued message is remembered while it waits', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('a', gate, 'b'), say('Goal'), say(PLAN), say('On it.'));
    // A name, so that naming asks for no answer of the script.
    await app.api.sessions.rename({ sessionId, name: 'Named' });
    await app.send(sessionId, 'First');
    await gate.reached;
    await sendPlanned(app, sessionId, 'Second');
    expect((await app.api.messages.queue({ sessionId })).queue).toMatchObject([{ text: 'Second', plan: true }]);
    gate.open();
    await app.untilIdle(sessionId);
    expect((await app.api.todos.get({ sessionId })).tasks).toHaveLength(2);
  });

  it('stopped in the middle leaves a free session and the log of what was said', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(say('Goal: x\nREFLECT: no'), sayAround('1. Half', gate, ' a plan'));
    await sendPlanned(app, sessionId);
    await gate.reached;
    const watcher = app.watch(sessionId);
    expect(await watcher.until((event) => event.kind === 'snapshot')).toMatchObject({
      run: { planning: { phase: 'plan', text: 'Writing the plan' } },
    });
    await watcher.stop();
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Do the thing'],
      ['system', 'Stopped'],
    ]);
    expect(await logsOf(app, sessionId)).toMatchObject([{ outcome: 'running', phases: [{ phase: 'analysis' }] }]);
    expect((await app.api.todos.get({ sessionId })).revision).toBe(0);
    // Resumed, it plans anew: nothing of it was there yet.
    app.model.replies.push(say('Goal'), say(PLAN), say('On it.'));
    await app.api.runs.resume({ sessionId });
    await app.untilIdle(sessionId);
    expect((await logsOf(app, sessionId))[0]?.outcome).toBe('planned');
    // And once more, it does not.
    expect((await app.api.todos.get({ sessionId })).revision).toBe(1);
  });

  it('whose model fails is a card like any other failure', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    // biome-ignore lint/correctness/useYield: it fails before it says anything.
    app.model.replies.push(async function* () {
      throw new ModelCallError('provider-unavailable', 'The model is gone.');
    });
    await sendPlanned(app, sessionId);
    await app.untilIdle(sessionId);
    expect((await app.api.messages.page({ sessionId })).messages.at(-1)?.metadata.error).toMatchObject({
      message: 'The model is gone.',
    });
  });

  it('sees a plan that is half done and plans on: what was begun and done stays, and the note of a crash reaches both it and the work', async () => {
    const dead = await open({ leaseMs: QUIET_LEASE_MS });
    const { id: sessionId } = await dead.api.sessions.create({ profileId: 'coder' });
    await dead.api.sessions.rename({ sessionId, name: 'Named' });
    const gate = createGate();
    const todo = (args: Record<string, unknown>) => callTools({ name: 'todo', arguments: args });
    dead.model.replies.push(
      say('Goal: x\nREFLECT: no'),
      say('1. Look\n2. Write it down\n3. Check it\n4. Publish it'),
      todo({ action: 'update', index: 1, status: 'done', validation: 'read all of it' }),
      todo({ action: 'update', index: 2, status: 'in_progress' }),
      sayAround('I write', gate, ' it down.'),
    );
    await dead.send(sessionId, 'Do the thing');
    await gate.reached;
    await killOwner(getDatabase(), sessionId);
    const app = await open();
    app.model.replies.push(
      say('Goal: y\nREFLECT: no'),
      say('1. Check it [SELF]\n2. Tell Anna [SELF]'),
      todo({ action: 'view' }),
      say('On it.'),
      say('DIRECT'),
    );
    // A message of the person's, instead of a resume.
    await app.send(sessionId, 'Anna wants to know too');
    await app.untilIdle(sessionId);
    for (const call of [0, 1]) {
      expect(noticeOf(app, call)).toContain('1. ✓ Look [read all of it]');
      expect(noticeOf(app, call)).toContain("step 2 is still 'in_progress'");
      expect(noticeOf(app, call)).toContain('The plan above is under way');
    }
    const { tasks } = await app.api.todos.get({ sessionId });
    expect(tasks.map(({ id, text, status, validation }) => [id, text, status, validation])).toEqual([
      ['step-1', 'Look', 'done', 'read all of it'],
      ['step-2', 'Write it down', 'in_progress', null],
      ['step-3', 'Check it', 'pending', null],
      ['step-5', 'Tell Anna', 'pending', null],
    ]);
    expect(noticeOf(app, 2)).toContain("step 2 is still 'in_progress'");
    expect(noticeOf(app, 3)).not.toContain('Recovery:');
    // Once a step was given it, nobody is told again.
    await app.send(sessionId, 'And?');
    await app.untilIdle(sessionId);
    expect(app.model.calls).toHaveLength(6);
    expect(JSON.stringify(app.model.calls.slice(4).map((call) => call.prompt))).not.toContain('Recovery:');
  });

  it('with the demo model really plans, and the work follows the plan to its end', async () => {
    const demo = createDemoCaller(createDemoModel({ clock: systemClock, wordDelayMs: 0 }));
    const app = await open();
    app.model.fallback = demo;
    const sessionId = await app.newSession();
    await app.api.sessions.rename({ sessionId, name: 'Named' });
    await sendPlanned(app, sessionId, 'A report about nothing in particular, please');
    await app.untilIdle(sessionId);
    const planned = await app.api.todos.get({ sessionId });
    expect(planned.tasks.map((step) => step.source)).toEqual(['plan', 'plan', 'plan', 'plan']);
    expect(planned.tasks.every((step) => step.status === 'done' && step.validation !== null)).toBe(true);
    // By the todo tool alone, in a chat that plans nothing beforehand, with a step of the person's on the way.
    const other = await app.newSession();
    await app.api.sessions.rename({ sessionId: other, name: 'Named' });
    await app.send(other, 'Plan a small report');
    await app.untilIdle(other);
    await app.api.todos.addStep({ sessionId: other, step: { text: 'Water the plants' } });
    await app.send(other, 'Go on');
    await app.untilIdle(other);
    const worked = await app.api.todos.get({ sessionId: other });
    expect(worked.tasks).toHaveLength(5);
    expect(worked.tasks.every((step) => step.status === 'done' && step.validation !== null)).toBe(true);
    const { messages } = await app.api.messages.page({ sessionId: other, limit: 100 });
    expect(messages.at(-1)?.content).toContain('All 5 steps of the plan are closed');
  });
});
