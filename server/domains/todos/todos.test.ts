import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, createGate, say, sayAround } from '../../testing/scripted-model';
import { addStep } from './engine/plan';
import { KEPT_REVISIONS } from './store';

describeEachEngine('plans', (getDatabase) => {
  const apps: TestApp[] = [];
  async function open(): Promise<TestApp> {
    const app = await createTestApp(getDatabase());
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

  it('have one snapshot shape, +1 at every save and an authoritative clear', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    expect(await app.api.todos.get({ sessionId })).toEqual({ sessionId, revision: 0, updatedAt: null, tasks: [] });
    const first = await app.api.todos.set({
      sessionId,
      tasks: [{ text: '  One  ' }, { text: 'Two', priority: 'high' }],
    });
    expect(first).toMatchObject({ sessionId, revision: 1 });
    expect(first.tasks.map(({ id, text, priority, status, source }) => [id, text, priority, status, source])).toEqual([
      ['step-1', 'One', 'medium', 'pending', 'user'],
      ['step-2', 'Two', 'high', 'pending', 'user'],
    ]);
    expect(await app.api.todos.get({ sessionId })).toEqual(first);
    // A person needs no validation, and a save without a change is a save.
    const ticked = { sessionId, stepId: 'step-1', changes: { status: 'done' as const } };
    expect((await app.api.todos.updateStep(ticked)).tasks[0]).toMatchObject({ status: 'done', validation: null });
    expect((await app.api.todos.updateStep(ticked)).revision).toBe(3);
    const cleared = await app.api.todos.clear({ sessionId });
    expect(cleared).toMatchObject({ revision: 4, tasks: [] });
    expect(await app.api.todos.get({ sessionId })).toEqual(cleared);
  });

  it('are edited step by step, and strange text is stored as given', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.addStep({ sessionId, step: { text: 'b' } });
    await app.api.todos.addStep({ sessionId, step: { text: `a 'quote' \u0000"␀" 你好 🙂 \\ %` }, index: 0 });
    await app.api.todos.addStep({ sessionId, step: { text: 'c' } });
    const moved = await app.api.todos.moveStep({ sessionId, stepId: 'step-3', index: 0 });
    expect(moved.tasks.map((step) => step.text)).toEqual(['c', `a 'quote' "␀" 你好 🙂 \\ %`, 'b']);
    const removed = await app.api.todos.removeStep({ sessionId, stepId: 'step-2' });
    expect(removed.tasks.map((step) => step.id)).toEqual(['step-3', 'step-1']);
    await expect(app.api.todos.removeStep({ sessionId, stepId: 'step-2' })).rejects.toMatchObject({
      cause: { code: 'not-found' },
    });
    await expect(app.api.todos.addStep({ sessionId, step: { text: '   ' } })).rejects.toThrow(/needs a text/);
    expect((await app.api.todos.get({ sessionId })).revision).toBe(5);
  });

  it('refuse a stale expectation with the plan as it is', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'a' }], expectedRevision: 0 });
    await expect(app.api.todos.set({ sessionId, tasks: [{ text: 'b' }], expectedRevision: 0 })).rejects.toMatchObject({
      cause: { code: 'conflict', details: { current: { revision: 1, tasks: [{ text: 'a' }] } } },
    });
  });

  it('keep the last hundred versions and make an older one the newest', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    for (let count = 1; count <= KEPT_REVISIONS + 5; count++) {
      await app.services.todos.change(sessionId, count % 2 === 0 ? 'agent' : 'remote', (plan) => ({
        tasks: [],
        nextStepNumber: plan.nextStepNumber + 1,
      }));
    }
    await app.api.todos.set({ sessionId, tasks: [{ text: 'newest' }] });
    const { items } = await app.api.todos.revisions({ sessionId, limit: 100 });
    expect(items.map((item) => item.revision)).toEqual(
      Array.from({ length: KEPT_REVISIONS }, (_, index) => 106 - index),
    );
    expect(items.slice(0, 3).map((item) => item.author)).toEqual(['user', 'remote', 'agent']);
    const older = await app.api.todos.revisions({ sessionId, limit: 2, beforeRevision: 50 });
    expect(older.items.map((item) => item.revision)).toEqual([49, 48]);
    await expect(app.api.todos.restore({ sessionId, revision: 6 })).rejects.toMatchObject({
      cause: { code: 'not-found' },
    });
    const restored = await app.api.todos.restore({ sessionId, revision: 100 });
    expect(restored).toMatchObject({ revision: 107, tasks: [] });
    const again = await app.api.todos.restore({ sessionId, revision: 106 });
    expect(again).toMatchObject({ revision: 108, tasks: [{ text: 'newest' }] });
    // What a restored version brings back does not make ids come twice.
    const added = await app.api.todos.addStep({ sessionId, step: { text: 'next' } });
    expect(new Set(added.tasks.map((step) => step.id)).size).toBe(2);
  });

  it('take removed steps back as they were, at their places, into a plan that changed meanwhile', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'mine' }] });
    await app.api.todos.startProtocol({ sessionId, protocolId: 'fix-bug' });
    const before = await app.api.todos.get({ sessionId });
    const [first, second] = before.tasks.filter((step) => step.source === 'protocol');
    if (first === undefined || second === undefined) throw new Error('the protocol has no steps');
    await app.api.todos.removeStep({ sessionId, stepId: second.id });
    await app.services.todos.change(sessionId, 'agent', (plan, context) => addStep(plan, { text: 'new' }, 0, context));
    await app.api.todos.updateStep({ sessionId, stepId: first.id, changes: { status: 'done' } });
    const back = { sessionId, revision: before.revision, stepIds: [first.id, second.id] };
    const after = await app.api.todos.restore(back);
    const at = after.tasks.findIndex((step) => step.id === first.id);
    expect(after.tasks.slice(at, at + 2)).toEqual([
      { ...first, status: 'done', changedAt: expect.any(String) },
      second,
    ]);
    expect(after.tasks.map((step) => step.text)).toContain('new');
    // A protocol's step is the protocol's again, which waits for it.
    const [run] = (await app.api.todos.protocols({ sessionId })).runs;
    const finished = await app.services.protocols.finish({ sessionId, epoch: null, runId: run?.id }, null);
    expect(finished).toMatchObject({
      ok: false,
      open: expect.arrayContaining([expect.objectContaining({ id: second.id })]),
    });
    // Cleared, and taken back: all of it in its order, before what was added since.
    await app.api.todos.clear({ sessionId });
    await app.api.todos.addStep({ sessionId, step: { text: 'since' } });
    const all = await app.api.todos.restore({
      ...back,
      revision: after.revision,
      stepIds: after.tasks.map(({ id }) => id),
    });
    expect(all.tasks.slice(0, -1)).toEqual(after.tasks);
    expect(all.tasks.at(-1)?.text).toBe('since');
  });

  it('answer not found for a session that is unknown, nameless, foreign or deleted, and refuse late writes', async () => {
    const app = await open();
    const other = app.as({ userId: 'someone-else', isAdmin: false });
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'mine' }] });
    const notFound = { cause: { code: 'not-found' } };
    for (const call of [
      () => app.api.todos.get({ sessionId: 'nobody' }),
      () => app.api.todos.set({ sessionId: 'nobody', tasks: [] }),
      () => other.todos.get({ sessionId }),
      () => other.todos.clear({ sessionId }),
      () => other.todos.revisions({ sessionId }),
    ]) {
      await expect(call()).rejects.toMatchObject(notFound);
    }
    await expect(app.services.todos.load('')).rejects.toMatchObject({ code: 'not-found' });
    await app.api.sessions.remove({ sessionId });
    await expect(app.api.todos.get({ sessionId })).rejects.toMatchObject(notFound);
    // A subagent that is still at work, a panel that is still open, a remote agent.
    await expect(app.services.todos.change(sessionId, 'agent', (plan) => plan)).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(app.api.todos.addStep({ sessionId, step: { text: 'late' } })).rejects.toMatchObject(notFound);
    // Taken back within the minute, the plan is what it was.
    await app.api.sessions.restore({ sessionId });
    expect(await app.api.todos.get({ sessionId })).toMatchObject({ revision: 1, tasks: [{ text: 'mine' }] });
  });

  it('go with their session, so that the same id would begin anew', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'a' }] });
    const { pool, prisma } = getDatabase();
    await pool.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
    expect(await prisma.sessionTodos.count()).toBe(0);
    expect(await prisma.todoRevision.count()).toBe(0);
    await pool.query(`INSERT INTO sessions (id, profile_id, user_id) VALUES ($1, 'default', 'anonymous')`, [sessionId]);
    expect(await app.api.todos.get({ sessionId })).toMatchObject({ revision: 0, tasks: [] });
  });

  it('of a running agent end with the session: the run stops and what it still writes is refused', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(async function* (input) {
      await gate.pass(input.signal);
      yield* callTools({ name: 'todo', arguments: { action: 'set', tasks: ['too late'] } })(input);
    });
    await app.send(sessionId, 'Work');
    await gate.reached;
    await app.api.todos.addStep({ sessionId, step: { text: 'before' } });
    await app.api.sessions.remove({ sessionId });
    gate.open();
    await expect
      .poll(async () => (await getDatabase().prisma.sessionRun.findMany()).map((run) => run.status))
      .toEqual(['stopped']);
    expect((await getDatabase().prisma.sessionTodos.findMany()).map((row) => row.revision)).toEqual([1]);
  });

  it('are not taken along by a fork, and creating a session touches no other plan', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(say('Yes.'));
    await app.send(sessionId, 'Hi');
    await app.untilIdle(sessionId);
    const plan = await app.api.todos.set({ sessionId, tasks: [{ text: 'a' }] });
    const fork = await app.api.sessions.fork({ sessionId });
    expect(await app.api.todos.get({ sessionId: fork.id })).toMatchObject({ revision: 0, tasks: [] });
    const child = await app.api.sessions.create({ parentId: sessionId });
    await app.api.todos.set({ sessionId: child.id, tasks: [{ text: "the child's" }] });
    await app.newSession();
    expect(await app.api.todos.get({ sessionId })).toEqual(plan);
  });

  it('are there again after a restart, and a subscriber of before is gone', async () => {
    const before = await open();
    const sessionId = await before.newSession();
    const watcher = before.watch(sessionId);
    await watcher.until((event) => event.kind === 'snapshot');
    const plan = await before.api.todos.set({ sessionId, tasks: [{ text: 'survives' }] });
    await watcher.until((event) => event.kind === 'todo-updated');
    await watcher.stop();
    await before.close();
    apps.splice(0);
    const after = await open();
    expect(await after.api.todos.get({ sessionId })).toEqual(plan);
    await after.api.todos.clear({ sessionId });
    expect(watcher.events.filter(({ event }) => event.kind === 'todo-updated')).toHaveLength(1);
  });

  it('keep their owner in step with the session', async () => {
    const app = await open();
    const { prisma, pool } = getDatabase();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: 'a' }] });
    await pool.query('UPDATE sessions SET user_id = NULL WHERE id = $1', [sessionId]);
    await prisma.$transaction((client) =>
      app.services.todos.changeOwner({ client, afterCommit: () => {} }, sessionId, null),
    );
    expect(await app.services.todos.load(sessionId)).toMatchObject({ revision: 1, tasks: [{ text: 'a' }] });
  });

  describe('edited by a person while a run goes on', () => {
    it('are seen by the agent at its next step, which is told', async () => {
      const app = await open();
      const sessionId = await app.newSession();
      const gate = createGate();
      app.model.replies.push(
        callTools({ name: 'todo', arguments: { action: 'set', tasks: ['Look', 'Write'] } }),
        async function* (input) {
          await gate.pass(input.signal);
          yield* callTools({ name: 'todo', arguments: { action: 'view' } })(input);
        },
        sayAround('', createOpenGate(), 'Done.'),
      );
      await app.send(sessionId, 'Work');
      await gate.reached;
      const snapshot = await app.api.todos.addStep({ sessionId, step: { text: 'And rest' } });
      expect(snapshot.tasks.map((step) => [step.text, step.source])).toEqual([
        ['Look', 'agent'],
        ['Write', 'agent'],
        ['And rest', 'user'],
      ]);
      gate.open();
      await app.untilIdle(sessionId);
      const notices = app.model.calls.slice(0, 3).map((call) => JSON.stringify(call.prompt.at(-1)?.content));
      expect(notices[1]).not.toContain('And rest');
      expect(notices[2]).toContain('3. ○ And rest');
      expect(notices[2]).toContain('The person changed the plan');
      expect(notices[1]).not.toContain('The person changed the plan');
    });
  });
});

function createOpenGate() {
  const gate = createGate();
  gate.open();
  return gate;
}
