import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../testing/app';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { say } from '../testing/scripted-model';
import { createPerson } from '../testing/use-apps';
import { appRouter } from './router';

/**
 * Inputs that would succeed for the owner, per procedure that names a session. A new procedure fails here until it is
 * listed: with an input, or among those that concern nobody's session.
 */
const inputs: Record<string, (sessionId: string) => Record<string, unknown>> = {
  'sessions.create': (sessionId) => ({ parentId: sessionId }),
  'sessions.get': (sessionId) => ({ sessionId }),
  'sessions.rename': (sessionId) => ({ sessionId, name: 'Stolen' }),
  'sessions.setPinned': (sessionId) => ({ sessionId, pinned: true }),
  'sessions.setModel': (sessionId) => ({ sessionId, model: null }),
  'sessions.switchProfile': (sessionId) => ({ sessionId, profileId: 'coder' }),
  'sessions.children': (sessionId) => ({ sessionId }),
  'sessions.remove': (sessionId) => ({ sessionId }),
  'sessions.restore': (sessionId) => ({ sessionId }),
  'sessions.fork': (sessionId) => ({ sessionId }),
  'sessions.export': (sessionId) => ({ sessionId, format: 'json' }),
  'messages.page': (sessionId) => ({ sessionId }),
  'messages.send': (sessionId) => ({ sessionId, clientMessageId: 'first', text: 'Hi' }),
  'messages.queue': (sessionId) => ({ sessionId }),
  'messages.cancelQueued': (sessionId) => ({ sessionId, queuedId: 'first' }),
  'messages.editQueued': (sessionId) => ({ sessionId, queuedId: 'first', text: 'x' }),
  'messages.regenerate': (sessionId) => ({ sessionId }),
  'messages.editAndResend': (sessionId) => ({ sessionId, sequenceNumber: 1, clientMessageId: 'first', text: 'x' }),
  'messages.selectVariant': (sessionId) => ({ sessionId, branchId: 1 }),
  'messages.rate': (sessionId) => ({ sessionId, sequenceNumber: 2, rating: 'up' }),
  'runs.stop': (sessionId) => ({ sessionId }),
  'runs.resume': (sessionId) => ({ sessionId }),
  'runs.approve': (sessionId) => ({ sessionId, toolCallId: 'a', decision: 'approved' }),
  'kv.get': (sessionId) => ({ sessionId, scope: 'scratchpad', key: 'a' }),
  'kv.set': (sessionId) => ({ sessionId, scope: 'scratchpad', key: 'a', value: 'b' }),
  'kv.getAll': (sessionId) => ({ sessionId, scope: 'scratchpad' }),
  'kv.remove': (sessionId) => ({ sessionId, scope: 'scratchpad', key: 'a' }),
  'kv.clearScope': (sessionId) => ({ sessionId, scope: 'scratchpad' }),
  'kv.search': (sessionId) => ({ sessionId, scope: 'scratchpad', terms: ['a'] }),
  'todos.protocols': (sessionId) => ({ sessionId }),
  'todos.startProtocol': (sessionId) => ({ sessionId, protocolId: 'fix-bug' }),
  'todos.get': (sessionId) => ({ sessionId }),
  'todos.set': (sessionId) => ({ sessionId, tasks: [{ text: 'a' }] }),
  'todos.addStep': (sessionId) => ({ sessionId, step: { text: 'a' } }),
  'todos.updateStep': (sessionId) => ({ sessionId, stepId: 'step-1', changes: { status: 'done' } }),
  'todos.removeStep': (sessionId) => ({ sessionId, stepId: 'step-1' }),
  'todos.moveStep': (sessionId) => ({ sessionId, stepId: 'step-1', index: 0 }),
  'todos.clear': (sessionId) => ({ sessionId }),
  'todos.revisions': (sessionId) => ({ sessionId }),
  'todos.restore': (sessionId) => ({ sessionId, revision: 1 }),
  'compression.run': (sessionId) => ({ sessionId }),
  'compression.undo': (sessionId) => ({ sessionId, compressionId: 'a' }),
  'compression.list': (sessionId) => ({ sessionId }),
  'compression.get': (sessionId) => ({ sessionId, compressionId: 'a' }),
  'compression.covered': (sessionId) => ({ sessionId, compressionId: 'a' }),
  'memory.search': (sessionId) => ({ sessionId, query: 'a' }),
  'memory.read': (sessionId) => ({ sessionId, fromSeq: 1, toSeq: 2 }),
  'files.list': (sessionId) => ({ sessionId }),
  'files.publish': (sessionId) => ({ sessionId, fileId: 'a' }),
  'files.remove': (sessionId) => ({ sessionId, fileId: 'a' }),
  'shares.check': (sessionId) => ({ sessionId }),
  'shares.issue': (sessionId) => ({ sessionId }),
  'debug.context': (sessionId) => ({ sessionId }),
  'debug.planning': (sessionId) => ({ sessionId }),
  'events.session': (sessionId) => ({ sessionId, lastEventId: '1' }),
};
/** What an admin with an account may do with another's session (seed 004). */
const openToAdmins = ['shares.check', 'shares.issue'];
/** What names no session: lists of the person who asks, what is the same for everybody, and what a share's token opens. */
const withoutSession = [
  'sessions.list',
  'events.user',
  'models.list',
  'profiles.list',
  'profiles.get',
  'shares.list',
  'shares.view',
  'shares.messages',
];

type Call = (input: unknown) => Promise<unknown>;

/** The procedure at a path: the caller is a proxy, so `api.sessions.get` is taken step by step. */
const procedureAt = (api: unknown, path: string): Call =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], api) as Call;

describe("another person's session", () => {
  let database: TestDatabase;
  let app: TestApp;
  let sessionId: string;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    app = await createTestApp(database);
    // With a name, so that naming does not change it while the test compares.
    sessionId = (await app.api.sessions.create({ name: 'Mine' })).id;
    app.model.replies.push(say('Secret.'));
    await app.send(sessionId, 'A secret', 'first');
    await app.untilIdle(sessionId);
  });
  afterAll(async () => {
    await app.close();
    expect(app.unexpected).toEqual([]);
    await database.close();
  });

  it('has a place in this test for every procedure that there is', () => {
    const procedures = Object.keys(appRouter._def.procedures).sort();
    expect(procedures).toEqual([...Object.keys(inputs), ...withoutSession].sort());
  });

  it.each(Object.keys(inputs))(
    'answers not-found to %s, for admins too, exactly as an unknown one does',
    async (path) => {
      const before = await app.api.sessions.export({ sessionId, format: 'json' });
      for (const isAdmin of openToAdmins.includes(path) ? [false] : [false, true]) {
        const api = app.as(await createPerson(database, isAdmin));
        const failureOf = async (id: string) => {
          try {
            const answer = await procedureAt(api, path)(inputs[path]?.(id));
            if (path === 'events.session') for await (const _ of answer as AsyncIterable<unknown>) break;
          } catch (error) {
            return error as { code: string; message: string };
          }
          throw new Error(`${path} let a stranger in`);
        };
        const failure = await failureOf(sessionId);
        expect(failure.code).toBe('NOT_FOUND');
        expect(failure.message).toBe((await failureOf('no-such-session')).message);
      }
      expect(await app.api.sessions.export({ sessionId, format: 'json' })).toEqual(before);
    },
  );

  it('is in no list of another person', async () => {
    const api = app.as(await createPerson(database));
    expect(await api.sessions.list({})).toEqual({ items: [], nextCursor: null });
  });
});

/** The same input with one of its texts or numbers replaced, for each of them. */
function variantsOf(input: unknown, texts: (text: string) => string[], numbers: number[]): unknown[] {
  if (typeof input === 'string') return texts(input);
  if (typeof input === 'number') return numbers;
  if (input === null || typeof input !== 'object') return [];
  return Object.entries(input).flatMap(([key, value]) =>
    variantsOf(value, texts, numbers).map((changed) =>
      Array.isArray(input) ? input.with(Number(key), changed) : { ...input, [key]: changed },
    ),
  );
}

describe('what no column can hold', () => {
  const others: Record<string, Record<string, unknown>> = {
    'profiles.get': { profileId: 'coder' },
    'shares.view': { token: 'a' },
    'shares.messages': { token: 'a', beforeSeq: 1 },
    'sessions.list': { cursor: 'a', limit: 1 },
  };
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    app = await createTestApp(database);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each([...Object.keys(inputs), ...Object.keys(others)])(
    'is stripped or refused by %s, never a fault of the server: NUL, half a pair, numbers beyond four bytes',
    async (path) => {
      const { id } = await app.api.sessions.create({ name: 'Mine' });
      const input = others[path] ?? inputs[path]?.(id);
      const hostile = variantsOf(input, (text) => [`${text}\u0000`, `${text}\ud800`], [2 ** 31, 2 ** 53 - 1, -1]);
      expect(hostile.length).toBeGreaterThan(0);
      for (const one of hostile) {
        const failure = await procedureAt(
          app.api,
          path,
        )(one).then(
          () => null,
          (error: { code: string }) => error.code,
        );
        expect([failure, one]).not.toEqual(['INTERNAL_SERVER_ERROR', one]);
      }
      await app.api.runs.stop({ sessionId: id });
      await app.untilIdle(id);
      expect(app.unexpected).toEqual([]);
    },
  );
});
