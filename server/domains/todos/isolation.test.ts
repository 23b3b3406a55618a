/** The cases of seed 003's testing phase, as ruled in product §13, and the holes of its design. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../db';
import { systemClock } from '../../lib/clock';
import { createTestApp, type TestApp, type TestAppOptions, type Watcher } from '../../testing/app';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { callTools, createGate, say, sayAround } from '../../testing/scripted-model';
import { killOwner, QUIET_LEASE_MS } from '../../testing/use-apps';
import { addStep, setSteps } from './engine/plan';
import { createPlanAccess, SESSIONLESS, todoSessionId } from './plan-access';
import type { StepDraft } from './schema';

describe('plans of many sessions (postgres)', () => {
  let database: TestDatabase;
  const apps: TestApp[] = [];
  const watchers: Watcher[] = [];
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterEach(async () => {
    await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()));
    for (const app of apps.splice(0)) {
      await app.close();
      expect(app.unexpected).toEqual([]);
    }
  });
  afterAll(() => database.close());

  /** Each app is a worker with connections of its own. */
  async function open(options: TestAppOptions = {}): Promise<TestApp> {
    const own = createDatabase({ url: database.url, engine: 'postgres' });
    const app = await createTestApp(own, options);
    apps.push({ ...app, close: () => app.close().finally(own.close) });
    return app;
  }
  async function watch(app: TestApp, sessionId: string): Promise<Watcher> {
    const watcher = app.watch(sessionId);
    watchers.push(watcher);
    await watcher.until((event) => event.kind === 'snapshot');
    return watcher;
  }
  const plansOf = (watcher: Watcher) =>
    watcher.events.flatMap(({ event }) => (event.kind === 'todo-updated' ? [event.snapshot] : []));

  it('1 and 6: two agents at work at once write to their own plans', async () => {
    const app = await open();
    const [a, b] = [await app.newSession(), await app.newSession()];
    app.model.fallback = (input) => {
      const prompt = JSON.stringify(input.prompt);
      const name = prompt.includes('for A') ? 'A' : 'B';
      if (prompt.includes('"tool-result"')) return say('Done.')(input);
      return callTools({ name: 'todo', arguments: { action: 'set', tasks: [`${name} one`, `${name} two`] } })(input);
    };
    await Promise.all([app.send(a, 'Work for A'), app.send(b, 'Work for B')]);
    await Promise.all([app.untilIdle(a), app.untilIdle(b)]);
    const texts = async (sessionId: string) => (await app.api.todos.get({ sessionId })).tasks.map((step) => step.text);
    expect(await texts(a)).toEqual(['A one', 'A two']);
    expect(await texts(b)).toEqual(['B one', 'B two']);
  });

  it('3 and 7: changes reach the subscribers of that session only, and a dropped one gets none', async () => {
    const app = await open();
    const [a, b] = [await app.newSession(), await app.newSession()];
    const [first, second, other] = [await watch(app, a), await watch(app, a), await watch(app, b)];
    await app.api.todos.set({ sessionId: a, tasks: [{ text: 'a' }] });
    await Promise.all([first, second].map((one) => one.until((event) => event.kind === 'todo-updated')));
    await second.stop();
    await app.api.todos.clear({ sessionId: a });
    await app.api.todos.set({ sessionId: b, tasks: [{ text: 'b' }] });
    await other.until((event) => event.kind === 'todo-updated');
    await expect.poll(() => plansOf(first).map((plan) => plan.revision)).toEqual([1, 2]);
    expect(plansOf(second).map((plan) => plan.revision)).toEqual([1]);
    expect(plansOf(other).map((plan) => [plan.sessionId, plan.revision])).toEqual([[b, 1]]);
  });

  it('4: a list from afar replaces the plan of that session, and only that one (who sends it, and in which words, comes with ACP)', async () => {
    const app = await open();
    const [a, b] = [await app.newSession(), await app.newSession()];
    const before = await app.api.todos.set({ sessionId: a, tasks: [{ text: 'goes' }, { text: 'Stays' }] });
    const other = await app.api.todos.set({ sessionId: b, tasks: [{ text: 'untouched' }] });
    const watcher = await watch(app, b);
    const list: StepDraft[] = [
      { text: 'from afar', status: 'done' },
      { text: 'stays', status: 'in_progress' },
    ];
    const after = await app.services.todos.change(a, 'remote', (plan, context) => setSteps(plan, list, context));
    expect(after.revision).toBe(2);
    expect(
      after.tasks.map(({ id, text, source, status, validation }) => [id, text, source, status, validation]),
    ).toEqual([
      ['step-3', 'from afar', 'remote', 'done', null],
      [before.tasks[1]?.id, 'stays', 'user', 'in_progress', null],
    ]);
    expect((await app.api.todos.revisions({ sessionId: a })).items[0]?.author).toBe('remote');
    expect(await app.api.todos.get({ sessionId: b })).toEqual(other);
    await app.api.todos.clear({ sessionId: b });
    await watcher.until((event) => event.kind === 'todo-updated');
    expect(plansOf(watcher).map((plan) => [plan.sessionId, plan.revision])).toEqual([[b, 2]]);
  });

  it('5: only a caller without any session has the plan without a session', async () => {
    const app = await open();
    const plans = createPlanAccess({ todos: app.services.todos, clock: systemClock });
    const add = (sessionId: string | null) =>
      plans.change({ sessionId, epoch: null }, 'agent', (plan, context) =>
        addStep(plan, { text: 'loose' }, null, context),
      );
    expect(todoSessionId({})).toBeNull();
    expect(todoSessionId({ sessionId: '' })).toBe('');
    expect(await add(null)).toMatchObject({ sessionId: SESSIONLESS, revision: 1 });
    for (const name of ['', 'gone', '__default__']) {
      await expect(add(name)).rejects.toMatchObject({ code: 'not-found' });
      await expect(plans.load({ sessionId: name })).rejects.toMatchObject({ code: 'not-found' });
    }
    const named = await app.newSession();
    expect(await plans.load({ sessionId: named })).toMatchObject({ revision: 0, tasks: [] });
    await add(named);
    expect(await plans.load({})).toMatchObject({ revision: 1, tasks: [{ text: 'loose' }] });
    // Another server's loose callers have their own.
    expect((await createPlanAccess({ todos: app.services.todos, clock: systemClock }).load({})).tasks).toEqual([]);
  });

  it('8, inverted: a session that is opened again has its plan, on another worker as well', async () => {
    const [first, second] = [await open(), await open()];
    const sessionId = await first.newSession();
    const plan = await first.api.todos.set({ sessionId, tasks: [{ text: 'kept' }] });
    expect(await second.api.todos.get({ sessionId })).toEqual(plan);
  });

  it('no recovery note while a lease is live: nobody else can begin a run; once it is lost, the next run has the note', async () => {
    const first = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await first.newSession();
    const gate = createGate();
    first.model.replies.push(
      callTools({ name: 'todo', arguments: { action: 'set', tasks: [{ text: 'Long', status: 'in_progress' }] } }),
      sayAround('at', gate, ' work'),
    );
    await first.send(sessionId, 'Work');
    await gate.reached;
    // All that makes a note is true for the second worker, but for the lease: the step is in progress, and it started later.
    const second = await open();
    expect(await second.send(sessionId, 'And you?', 'to-the-second')).toMatchObject({ queuedId: 'to-the-second' });
    await expect(second.api.runs.resume({ sessionId })).rejects.toMatchObject({ cause: { code: 'busy' } });
    await expect(second.api.messages.regenerate({ sessionId, sequenceNumber: 1 })).rejects.toThrow();
    const noted = async () =>
      (await database.prisma.sessionTodos.findFirstOrThrow({ where: { sessionId } })).recoveryNotedRevision;
    expect([second.model.calls.length, await noted()]).toEqual([0, null]);
    await killOwner(database, sessionId);
    await second.send(sessionId, 'Still there?');
    await second.untilIdle(sessionId);
    const told = second.model.calls.filter((call) => JSON.stringify(call.prompt.at(-1)).includes('Recovery:'));
    expect([told.length, await noted()]).toEqual([1, 1]);
    expect(JSON.stringify(first.model.calls)).not.toContain('Recovery:');
  });

  it('of fifty writers with the same expectation exactly one wins each revision, and no change is lost', async () => {
    const [first, second] = [await open(), await open()];
    const sessionId = await first.newSession();
    const writers = Array.from({ length: 50 }, (_, index) => ({ name: `writer ${index}`, hasWritten: false }));
    const wins: number[] = [];
    for (let round = 0; writers.some((writer) => !writer.hasWritten); round++) {
      expect(round).toBeLessThan(51);
      const { revision } = await first.api.todos.get({ sessionId });
      const waiting = writers.filter((writer) => !writer.hasWritten);
      const outcomes = await Promise.allSettled(
        waiting.map(async (writer, index) => {
          const app = index % 2 === 0 ? first : second;
          await app.api.todos.addStep({ sessionId, step: { text: writer.name }, expectedRevision: revision });
          writer.hasWritten = true;
        }),
      );
      wins.push(outcomes.filter((outcome) => outcome.status === 'fulfilled').length);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ cause: { code: 'conflict' } });
      }
    }
    expect(wins).toEqual(Array.from({ length: 50 }, () => 1));
    const plan = await first.api.todos.get({ sessionId });
    expect(plan.revision).toBe(50);
    expect(new Set(plan.tasks.map((step) => step.text))).toEqual(new Set(writers.map((writer) => writer.name)));
  });

  it('200 sessions with 2 subscribers each: own changes only, revisions rising, the last one as stored', async () => {
    const [first, second] = [await open(), await open()];
    const pairs: { sessionId: string; seen: Watcher[] }[] = [];
    while (pairs.length < 200) {
      const some = Array.from({ length: 20 }, async () => {
        const sessionId = await first.newSession();
        return { sessionId, seen: await Promise.all([watch(first, sessionId), watch(second, sessionId)]) };
      });
      pairs.push(...(await Promise.all(some)));
    }
    const changes = 4;
    await Promise.all(
      pairs.map(async ({ sessionId }, index) => {
        for (let count = 1; count <= changes; count++) {
          const app = (index + count) % 2 === 0 ? first : second;
          await app.api.todos.addStep({ sessionId, step: { text: `${sessionId} ${count}` } });
        }
      }),
    );
    for (const { sessionId, seen } of pairs) {
      const stored = await first.api.todos.get({ sessionId });
      expect(stored.revision).toBe(changes);
      for (const watcher of seen) {
        await watcher.until((event) => event.kind === 'todo-updated' && event.snapshot.revision === changes);
        const plans = plansOf(watcher);
        expect(plans.map((plan) => plan.revision)).toEqual([1, 2, 3, 4]);
        expect(plans.every((plan) => plan.sessionId === sessionId)).toBe(true);
        expect(plans.at(-1)).toEqual(stored);
      }
    }
  });
});
