import { afterEach, expect, it } from 'vitest';
import { ModelCallError } from '../../providers/types';
import { createTestApp, type TestApp, type TestAppOptions } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, createGate, type Reply, say, sayAround } from '../../testing/scripted-model';
import { QUIET_LEASE_MS } from '../../testing/use-apps';

const todo = (args: Record<string, unknown>): Reply => callTools({ name: 'todo', arguments: args });

describeEachEngine('what a run is told of its plan', (getDatabase) => {
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

  /** The end of a call's prompt: what was built for this call alone. */
  const noticesOf = (app: TestApp, call: number) => JSON.stringify(app.model.calls[call]?.prompt.at(-1)?.content ?? '');
  /** Calls of turns; the call that names the session offers no tools. */
  const turnCalls = (app: TestApp) => app.model.calls.filter((call) => call.tools.length > 0);
  const dieInMidStep = async (app: TestApp) => {
    await getDatabase().pool.query(
      `UPDATE session_runs SET worker_id = 'dead', lease_expires_at = now() - interval '1 second' WHERE status = 'running'`,
    );
    return app;
  };

  it('begins with the reminder and its rules, then goes on without the rules, the plan always last in the prompt', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'Look' }] });
    app.model.replies.push(todo({ action: 'update', index: 1, status: 'in_progress' }), say('On it.'));
    await app.send(sessionId, 'Work');
    await app.untilIdle(sessionId);
    expect(noticesOf(app, 0)).toContain('1. ○ Look');
    expect(noticesOf(app, 0)).toContain('one step in_progress at a time');
    expect(noticesOf(app, 1)).toContain('1. ◎ Look');
    expect(noticesOf(app, 1)).not.toContain('one step in_progress at a time');
    // Built fresh and stored nowhere.
    const { messages } = await app.api.messages.page({ sessionId });
    expect(JSON.stringify(messages)).not.toContain('<reminder>');
  });

  it('has the plan again when every older message has left the context, as after a compression', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(todo({ action: 'set', tasks: ['Look', 'Write'] }), say('Planned.'));
    await app.send(sessionId, 'Work');
    await app.untilIdle(sessionId);
    await getDatabase().pool.query('UPDATE session_messages SET is_context = false WHERE session_id = $1', [sessionId]);
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    const last = JSON.stringify(turnCalls(app).at(-1)?.prompt);
    expect(last).not.toContain('Planned.');
    expect(last).toContain('2. ○ Write');
  });

  it('done is refused without a validation, and the refusal says what is missing', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(
      todo({ action: 'set', tasks: ['Look', { text: 'Write', status: 'done' }] }),
      todo({ action: 'set', tasks: ['Look'] }),
      todo({ action: 'update', index: 1, status: 'done', validation: '  ' }),
      todo({ action: 'update', index: 1, status: 'done', validation: 'read the file' }),
      todo({ action: 'update', index: 7, status: 'done', validation: 'x' }),
      todo({ action: 'update', index: 1, status: 'failed' }),
      say('Done.'),
    );
    await app.send(sessionId, 'Work');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    const results = messages.filter((message) => message.role === 'tool');
    expect(results.map((message) => message.metadata.toolStatus)).toEqual([
      'failed',
      'done',
      'failed',
      'done',
      'failed',
      'done',
    ]);
    expect(results[0]?.content).toContain('cannot be done without a validation');
    expect(results[1]?.metadata).toMatchObject({ todoRevision: 1, todoTotal: 1, todoClosed: 0 });
    expect(results[3]?.content).toBe('1. ✓ Look [read the file]');
    expect(results[4]?.content).toContain('There is no step 7. The plan has 1 steps.');
    expect(results[5]?.content).toContain('Say in `note` why it failed');
    expect(noticesOf(app, 6)).toContain('[Re-plan] Failed: step 1');
  });

  it('the recovery note comes once per revision when the server died in mid-step', async () => {
    // A long lease, so that it does not notice by itself that it is dead.
    const dead = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await dead.newSession();
    const gate = createGate();
    dead.model.replies.push(
      todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }, 'Write'] }),
      sayAround('I begin', gate, ' and end.'),
    );
    await dead.send(sessionId, 'Work');
    await gate.reached;
    expect(noticesOf(dead, 1)).not.toContain('Recovery:');
    await dieInMidStep(dead);
    const survivor = await open();
    await expect.poll(async () => (await survivor.api.sessions.get({ sessionId })).runState).toBe('interrupted');
    survivor.model.replies.push(todo({ action: 'view' }), say('I looked.'), say('Again.'));
    await survivor.api.runs.resume({ sessionId });
    await survivor.untilIdle(sessionId);
    expect(noticesOf(survivor, 0)).toContain("step 1 is still 'in_progress'");
    expect(noticesOf(survivor, 1)).not.toContain('Recovery:');
    await survivor.send(sessionId, 'Go on');
    await survivor.untilIdle(sessionId);
    expect(turnCalls(survivor)).toHaveLength(3);
    expect(JSON.stringify(turnCalls(survivor)[2]?.prompt)).not.toContain('Recovery:');
    // Remembered durably: not again after the next start.
    await survivor.close();
    apps.splice(apps.indexOf(survivor), 1);
    const third = await open();
    await third.send(sessionId, 'And now?');
    await third.untilIdle(sessionId);
    expect(JSON.stringify(turnCalls(third)[0]?.prompt)).not.toContain('Recovery:');
    // A new version that is left in mid-step again is noted again.
    await third.api.todos.updateStep({ sessionId, stepId: 'step-2', changes: { status: 'in_progress' } });
    const fourth = await open();
    await fourth.send(sessionId, 'Hello?');
    await fourth.untilIdle(sessionId);
    expect(JSON.stringify(turnCalls(fourth)[0]?.prompt)).toContain('Recovery:');
  });

  it('the recovery note comes again until a step that was given it is stored, and then never', async () => {
    // As old as the plan: what speaks of a crash is the interrupted run alone.
    const survivor = await open({ leaseMs: QUIET_LEASE_MS });
    const dead = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await dead.newSession();
    await dead.api.sessions.rename({ sessionId, name: 'Named' });
    const [first, second] = [createGate(), createGate()];
    dead.model.replies.push(
      todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }] }),
      sayAround('I begin', first, ' and end.'),
    );
    await dead.send(sessionId, 'Work');
    await first.reached;
    await dieInMidStep(dead);
    // A call that fails.
    survivor.model.replies.push(
      // biome-ignore lint/correctness/useYield: it fails before it says anything.
      async function* () {
        throw new ModelCallError('provider-unavailable', 'The model is gone.');
      },
      sayAround('Half', second, ' a look.'),
    );
    await survivor.send(sessionId, 'Are you there?');
    await survivor.untilIdle(sessionId);
    expect(noticesOf(survivor, 0)).toContain('Recovery:');
    // A server that dies before the step is stored.
    await survivor.send(sessionId, 'And now?');
    await second.reached;
    expect(noticesOf(survivor, 1)).toContain('Recovery:');
    await dieInMidStep(survivor);
    const third = await open();
    await third.send(sessionId, 'Once more');
    await third.untilIdle(sessionId);
    await third.send(sessionId, 'Go on');
    await third.untilIdle(sessionId);
    expect(third.model.calls).toHaveLength(2);
    expect(noticesOf(third, 0)).toContain('Recovery:');
    expect(JSON.stringify(third.model.calls[1]?.prompt)).not.toContain('Recovery:');
  });

  it('no recovery note after a stop, nor for a plan that this process changed between two runs', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(
      todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }] }),
      sayAround('I begin', gate, ' and end.'),
    );
    await app.send(sessionId, 'Work');
    await gate.reached;
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    expect(turnCalls(app)).toHaveLength(3);
    expect(JSON.stringify(app.model.calls)).not.toContain('Recovery:');
  });

  it('a run that forgets its plan is told, then stopped with a readable card, and can be resumed', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }] }));
    app.model.fallback = todo({ action: 'view' });
    await app.send(sessionId, 'Work');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId, limit: 100 });
    expect(messages.at(-1)?.metadata.error).toMatchObject({ code: 'plan-stalled' });
    expect(messages.at(-1)?.metadata.error?.message).toMatch(/^Stopped: the plan did not change in the last 12 steps/);
    expect(turnCalls(app)).toHaveLength(13);
    expect(noticesOf(app, 8)).not.toContain('[Stalled plan]');
    expect(noticesOf(app, 9)).toContain('[Stalled plan] 8 steps went by');
    expect(noticesOf(app, 5)).toContain('[Goal] 5 steps are done. The person asked: \\"Work\\"');
    app.model.fallback = say('There.');
    await app.api.runs.resume({ sessionId });
    await app.untilIdle(sessionId);
    expect((await app.api.messages.page({ sessionId, limit: 100 })).messages.at(-1)?.content).toBe('There.');
  });

  it('the step limit of the server is spoken of before it is reached', async () => {
    const app = await open({ env: { NAVI_MAX_STEPS: '3' } });
    const sessionId = await app.newSession();
    app.model.fallback = todo({ action: 'view' });
    await app.send(sessionId, 'Work');
    await app.untilIdle(sessionId);
    expect(turnCalls(app)).toHaveLength(3);
    expect(noticesOf(app, 2)).toContain('This is the last step of this turn');
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.at(-1)?.metadata.error).toMatchObject({ code: 'step-limit' });
  });

  it('a profile is switched in mid-session: a quiet line, another prompt, another window; unknown ones are refused', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.sessions.switchProfile({ sessionId, profileId: 'coder' });
    expect((await app.api.messages.page({ sessionId })).messages).toEqual([]);
    await app.api.sessions.switchProfile({ sessionId, profileId: 'default' });
    await app.send(sessionId, 'Hi');
    await app.untilIdle(sessionId);
    const switched = await app.api.sessions.switchProfile({ sessionId, profileId: 'coder' });
    expect(switched.profileId).toBe('coder');
    await app.api.sessions.switchProfile({ sessionId, profileId: 'coder' });
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.filter((message) => message.role === 'system')).toMatchObject([
      { content: 'Profile: Coder', isContext: false, metadata: { source: 'profile_switched', profileId: 'coder' } },
    ]);
    for (const call of [
      app.api.sessions.switchProfile({ sessionId, profileId: 'nobody' }),
      app.api.sessions.create({ profileId: 'nobody' }),
      app.api.profiles.get({ profileId: 'nobody' }),
    ]) {
      await expect(call).rejects.toMatchObject({ cause: { code: 'not-found' } });
    }
    expect((await app.api.profiles.list()).items.map((profile) => profile.id)).toEqual(['default', 'coder']);
  });
});
