import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUnitOfWork } from '../../database/transaction';
import { createBus } from '../../events/bus';
import { createEventLog } from '../../events/log';
import { createEventStore } from '../../events/store';
import { systemClock } from '../../lib/clock';
import { anonymous } from '../../lib/person';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { createKvStore } from '../kv/store';
import { updateStep } from './engine/plan';
import { createKvTodoStore } from './key-value-store';
import { createLegacyMove, type LegacyProblem } from './legacy-store';
import { createTaskLoader } from './load-tasks';
import { createTodoService } from './service';
import { createTodoStore, type TodoStore } from './store';

describeEachEngine('plans of older versions', (getDatabase) => {
  let app: TestApp;
  let sessionId: string;
  beforeEach(async () => {
    app = await createTestApp(getDatabase());
    sessionId = await app.newSession();
  });
  afterEach(async () => {
    await app.close();
    expect(app.unexpected).toEqual([]);
    await getDatabase().reset();
  });

  const legacyRows = () => getDatabase().prisma.sessionStore.findMany({ where: { scope: 'todo' } });
  const putLegacy = (value: string, at: { userId?: string; sessionId?: string; key?: string } = {}) =>
    getDatabase().prisma.sessionStore.create({
      data: { userId: 'anonymous', sessionId, scope: 'todo', key: 'tasks', value, ...at },
    });
  const oldPlan = JSON.stringify([{ text: 'From before', status: 'done', validation: 'seen' }, { text: 'Rest' }]);
  function mover(): { move: () => Promise<void>; problems: LegacyProblem[] } {
    const { prisma } = getDatabase();
    const problems: LegacyProblem[] = [];
    const report = (problem: LegacyProblem) => problems.push(problem);
    return { move: createLegacyMove({ prisma, unitOfWork: createUnitOfWork(getDatabase()), report }), problems };
  }
  function newStore(): TodoStore {
    return createTodoStore(getDatabase().prisma, { moveLegacyPlans: mover().move });
  }
  const kvTodos = () => {
    const { prisma } = getDatabase();
    return createKvTodoStore({
      kvIn: (tx) => createKvStore({ prisma: tx?.client ?? prisma }),
      findSession: app.services.sessions.findAny,
      now: () => new Date('2026-01-01T00:00:00Z'),
    });
  };

  it('move at the first use, with their source deleted', async () => {
    await putLegacy(oldPlan);
    const snapshot = await app.api.todos.get({ sessionId });
    expect(snapshot.revision).toBe(0);
    expect(snapshot.tasks.map(({ text, status, validation }) => [text, status, validation])).toEqual([
      ['From before', 'done', 'seen'],
      ['Rest', 'pending', null],
    ]);
    expect(await legacyRows()).toEqual([]);
    const next = await app.api.todos.addStep({ sessionId, step: { text: 'New' } });
    expect(next.tasks.map((step) => step.id)).toEqual(['step-1', 'step-2', 'step-3']);
  });

  it('can be had back after their first change: what they were when they came is a version', async () => {
    await putLegacy(oldPlan);
    const moved = await app.api.todos.get({ sessionId });
    await app.api.todos.clear({ sessionId });
    expect((await app.api.todos.revisions({ sessionId })).items).toMatchObject([
      { revision: 1, author: 'user', tasks: [] },
      { revision: 0, author: 'agent', createdAt: moved.updatedAt, tasks: moved.tasks },
    ]);
    expect((await app.api.todos.restore({ sessionId, revision: 0 })).tasks).toEqual(moved.tasks);
  });

  it('that another Navi wrote into the table are usable whatever its words, and can be had back as well', async () => {
    const tasks = [
      { text: 'Look', status: 'blocked', source: '' },
      { text: 'Write', status: 'done', validation: 'read it' },
    ];
    await getDatabase().prisma.sessionTodos.create({ data: { userId: 'anonymous', sessionId, tasks, revision: 7 } });
    const adopted = await app.api.todos.get({ sessionId });
    expect(adopted.tasks.map((step) => [step.status, step.source])).toEqual([
      ['pending', 'agent'],
      ['done', 'agent'],
    ]);
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    expect(JSON.stringify(app.model.calls[0]?.prompt)).toContain('1. ○ Look');
    await app.api.todos.removeStep({ sessionId, stepId: 'step-1' });
    await app.api.todos.clear({ sessionId });
    expect((await app.api.todos.revisions({ sessionId })).items.map((item) => item.revision)).toEqual([9, 8, 7]);
    expect((await app.api.todos.restore({ sessionId, revision: 7 })).tasks).toEqual(adopted.tasks);
  });

  it('never overwrite a plan of the new table, and what was cleared does not come back', async () => {
    await app.api.todos.set({ sessionId, tasks: [{ text: 'newer' }] });
    await app.api.todos.clear({ sessionId });
    await putLegacy(oldPlan);
    const { move, problems } = mover();
    await move();
    await move();
    expect(await app.api.todos.get({ sessionId })).toMatchObject({ revision: 2, tasks: [] });
    expect(await legacyRows()).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('move once when two processes begin at the same moment', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => app.newSession()));
    for (const id of others) await putLegacy(oldPlan, { sessionId: id });
    await Promise.all([mover().move(), mover().move(), mover().move()]);
    expect(await getDatabase().prisma.sessionTodos.count()).toBe(8);
    expect(await legacyRows()).toEqual([]);
  });

  it('follow the owner of their session; of two rows for one session the newer stands', async () => {
    await getDatabase().prisma.sessionStore.create({
      data: {
        userId: '',
        sessionId,
        scope: 'todo',
        key: 'tasks',
        value: JSON.stringify([{ text: 'older' }]),
        updatedAt: new Date('2020-01-01'),
      },
    });
    await putLegacy(oldPlan);
    expect((await app.api.todos.get({ sessionId })).tasks[0]?.text).toBe('From before');
    expect(await legacyRows()).toEqual([]);
  });

  it('that cannot be read, or have no session, are kept and reported', async () => {
    await putLegacy('not json');
    await putLegacy(oldPlan, { key: 'something-else' });
    await putLegacy(oldPlan, { sessionId: 'subagent_0123456789ab' });
    const { move, problems } = mover();
    await move();
    expect(problems.map(({ sessionId: id, key, reason }) => [id, key, reason]).sort()).toEqual(
      [
        [sessionId, 'tasks', 'unreadable'],
        [sessionId, 'something-else', 'unreadable'],
        ['subagent_0123456789ab', 'tasks', 'no-session'],
      ].sort(),
    );
    expect(await legacyRows()).toHaveLength(3);
    // The session itself is usable all the same.
    expect(await app.api.todos.set({ sessionId, tasks: [{ text: 'x' }] })).toMatchObject({ revision: 1 });
  });

  it('a move that fails is tried again at the next use', async () => {
    let attempts = 0;
    const store = createTodoStore(getDatabase().prisma, {
      moveLegacyPlans: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('the database is starting');
      },
    });
    await expect(store.ready()).rejects.toThrow('starting');
    await Promise.all([store.ready(), store.ready()]);
    await store.ready();
    expect(attempts).toBe(2);
  });

  it('stay readable through the key-value store, which counts revisions and notes', async () => {
    await putLegacy(oldPlan);
    const kv = kvTodos();
    const key = { userId: 'anonymous', sessionId };
    expect((await kv.load(key))?.tasks).toHaveLength(2);
    const save = (texts: string[]) =>
      createUnitOfWork(getDatabase()).run((tx) =>
        kv.save(
          tx,
          key,
          {
            tasks: texts.map((text, index) => ({
              id: `step-${index + 1}`,
              text,
              status: 'in_progress' as const,
              priority: 'low' as const,
              validation: null,
              note: null,
              source: 'agent' as const,
              protocolRunId: null,
              stepId: null,
              executor: null,
              changedAt: null,
            })),
            nextStepNumber: texts.length + 1,
          },
          'agent',
        ),
      );
    expect((await save(['a'])).revision).toBe(1);
    expect((await save(['a', 'b'])).revision).toBe(2);
    expect(await kv.claimRecoveryNote(key, 1)).toBe(false);
    expect(await kv.claimRecoveryNote(key, 2)).toBe(true);
    expect(await kv.claimRecoveryNote(key, 2)).toBe(false);
    expect((await save([])).tasks).toEqual([]);
    expect(await kv.load(key)).toMatchObject({ revision: 3, tasks: [], recoveryNotedRevision: 2 });
    expect(await kv.load({ userId: 'anonymous', sessionId: 'other' })).toBeNull();
  });

  it('can be kept by the key-value store behind the service: all but the contents of past versions', async () => {
    const { prisma } = getDatabase();
    const todos = createTodoService({
      store: kvTodos(),
      sessions: app.services.sessions,
      unitOfWork: createUnitOfWork(getDatabase()),
      events: createEventLog({ store: createEventStore(prisma), bus: createBus() }),
      clock: systemClock,
    });
    expect(await todos.get(anonymous, sessionId)).toMatchObject({ revision: 0, tasks: [] });
    await todos.set(anonymous, { sessionId, tasks: [{ text: 'a' }, { text: 'b' }] });
    await todos.change(sessionId, 'agent', (plan, { at }) => updateStep(plan, 1, { status: 'in_progress' }, at));
    const stale = { sessionId, stepId: 'step-1', changes: { text: 'x' }, expectedRevision: 1 };
    await expect(todos.updateStep(anonymous, stale)).rejects.toMatchObject({ code: 'conflict' });
    const plan = await todos.load(sessionId);
    expect(plan).toMatchObject({ revision: 2, tasks: [{ text: 'a' }, { text: 'b', status: 'in_progress' }] });
    expect(await todos.get(anonymous, sessionId)).toEqual(plan);
    expect(await todos.listRevisions(anonymous, { sessionId, limit: 10 })).toEqual({ items: [] });
    await expect(todos.restore(anonymous, { sessionId, revision: 1 })).rejects.toMatchObject({ code: 'not-found' });
    const stranger = { userId: 'somebody', isAdmin: false };
    await expect(todos.get(stranger, sessionId)).rejects.toMatchObject({ code: 'not-found' });
    await expect(todos.get(anonymous, 'gone')).rejects.toMatchObject({ code: 'not-found' });
    await expect(todos.load('gone')).rejects.toMatchObject({ code: 'not-found' });
    // Nothing of it is in the table.
    expect(await prisma.sessionTodos.count()).toBe(0);
    await app.api.sessions.remove({ sessionId });
    await expect(todos.load(sessionId)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('written by the fallback move with revision and note when the table comes', async () => {
    const kv = kvTodos();
    const key = { userId: 'anonymous', sessionId };
    const plan = { tasks: [], nextStepNumber: 7 };
    await createUnitOfWork(getDatabase()).run((tx) => kv.save(tx, key, plan, 'agent'));
    const store = newStore();
    await store.ready();
    expect(await store.load(key)).toMatchObject({ revision: 1, nextStepNumber: 7, tasks: [] });
  });

  it('the resolution order is explicit store, explicit key-value store, injected store', async () => {
    await app.api.todos.set({ sessionId, tasks: [{ text: 'in the table' }] });
    const inKv = createKvTodoStore({
      kvIn: () => ({ ...createKvStore({ prisma: getDatabase().prisma }), get: async () => '[{"text":"in kv"}]' }),
      findSession: app.services.sessions.findAny,
      now: () => new Date(),
    });
    const injected: TodoStore = { ...newStore(), load: async () => null };
    const loadTasksFor = createTaskLoader({ injected });
    const texts = async (backends: Parameters<typeof loadTasksFor>[2]) =>
      (await loadTasksFor(sessionId, 'anonymous', backends)).map((step) => step.text);
    expect(await texts({ store: newStore(), kv: inKv })).toEqual(['in the table']);
    expect(await texts({ kv: inKv })).toEqual(['in kv']);
    // Nothing there is an answer, not a reason to ask another one.
    expect(await texts({})).toEqual([]);
    expect(await createTaskLoader({ injected: null })(sessionId, null)).toEqual([]);
  });
});
