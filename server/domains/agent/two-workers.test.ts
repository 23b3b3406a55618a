import { describe, expect, it } from 'vitest';
import { createUnitOfWork } from '../../database/transaction';
import { createDatabase, type Database } from '../../db';
import type { TestApp } from '../../testing/app';
import { callTools, createGate, finish, say, sayAround } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { killOwner, QUIET_LEASE_MS, transcript, useWorkers } from '../../testing/use-apps';

/** Milliseconds after which PostgreSQL looks for a deadlock in the test that must have none; a second by itself. */
const DEADLOCK_TIMEOUT_MS = 100_000;

/** Two workers, each with connections of its own, on one real PostgreSQL. */
describe('two workers on one database', () => {
  const { open, databases, url } = useWorkers();

  const pair = async (options: Parameters<typeof open>[0] = {}): Promise<[TestApp, TestApp]> => [
    await open(options),
    await open(options),
  ];
  const database = () => {
    const [first] = databases.slice(-1);
    if (first === undefined) throw new Error('no app was opened');
    return first;
  };

  it('shows a run of one, live and in order, to subscribers of the other', async () => {
    const [owner, other] = await pair();
    const sessionId = await owner.newSession();
    const words = Array.from({ length: 40 }, (_, index) => `w${index} `);
    const watchers = [owner.watch(sessionId), other.watch(sessionId), other.watch(sessionId)];
    const text = ({ events }: (typeof watchers)[number]) =>
      events.map(({ event }) => (event.kind === 'text-delta' ? event.text : '')).join('');
    owner.model.replies.push(async function* () {
      for (const [index, word] of words.entries()) {
        yield { type: 'text-delta', text: word };
        // Live: nothing more is said until everybody has seen what was.
        if (index % 10 === 9) {
          const said = words.slice(0, index + 1).join('');
          await Promise.all(watchers.map((watcher) => watcher.until(() => text(watcher) === said)));
        }
      }
      yield finish();
    });
    await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'snapshot')));
    await owner.send(sessionId, 'Hi');
    await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'run-end')));
    for (const watcher of watchers) {
      const { events } = watcher;
      expect(text(watcher)).toBe(words.join(''));
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => (events[0]?.id ?? 0) + index));
    }
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  });

  it('stops a run of one from the other at once', async () => {
    const [owner, other] = await pair({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await owner.newSession();
    const gate = createGate();
    owner.model.replies.push(sayAround('kept', gate, 'never'));
    const watcher = other.watch(sessionId);
    await owner.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    // By the signal: the test would end before the owner's next heartbeat. The figure (one second) is the benchmark `stop`.
    expect(await other.api.runs.stop({ sessionId })).toMatchObject({ stopped: true });
    await watcher.until((event) => event.kind === 'run-end' && event.status === 'stopped');
    expect((await transcript(other, sessionId)).at(-1)).toEqual(['assistant', 'kept']);
    await watcher.stop();
  });

  it('takes an approval given at the other', async () => {
    const made: string[] = [];
    const tool = createTestTool('command', async () => ({ text: String(made.push('ran')) }), { class: 'execute' });
    const [owner, other] = await pair({ tools: [tool], leaseMs: QUIET_LEASE_MS });
    const sessionId = await owner.newSession();
    owner.model.replies.push(callTools({ name: 'command' }), say('Done.'));
    const watcher = other.watch(sessionId);
    await owner.send(sessionId, 'Go');
    await watcher.until((event) => event.kind === 'approval-asked');
    await other.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    await watcher.until((event) => event.kind === 'run-end');
    expect(made).toEqual(['ran']);
    await watcher.stop();
  });

  it('queues a message sent at the other, and starts it where the run before it ended', async () => {
    const [owner, other] = await pair();
    const sessionId = await owner.newSession();
    const gate = createGate();
    owner.model.replies.push(sayAround('a', gate, 'b'));
    await owner.send(sessionId, 'first');
    await gate.reached;
    expect(await other.send(sessionId, 'second', 'second')).toMatchObject({ queuedId: 'second' });
    gate.open();
    await other.untilIdle(sessionId);
    expect([owner.model.calls.length, other.model.calls.length]).toEqual([2, 0]);
    expect((await transcript(other, sessionId)).map(([, text]) => text)).toEqual([
      'first',
      'ab',
      'second',
      'All right.',
    ]);
  });

  it('settles the run of the one that is killed, while a live run of it is left alone', async () => {
    // The survivor looks every second; the lease of the live run cannot run out under it.
    const [owner, survivor] = [await open({ leaseMs: QUIET_LEASE_MS }), await open({ leaseMs: 3_000 })];
    const [dead, alive] = [await owner.newSession(), await owner.newSession()];
    const gates = [createGate(), createGate()] as const;
    owner.model.replies.push(sayAround('half', gates[0], ''), sayAround('whole', gates[1], ' answer'));
    const watchers = [survivor.watch(dead), survivor.watch(alive)] as const;
    await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'snapshot')));
    await owner.send(dead, 'Hi');
    await gates[0].reached;
    await owner.send(alive, 'Hi');
    await Promise.all(watchers.map((watcher) => watcher.until((event) => event.kind === 'text-delta')));
    await killOwner(database(), dead);
    await watchers[0].until((event) => event.kind === 'run-end' && event.status === 'interrupted');
    gates[1].open();
    await watchers[1].until((event) => event.kind === 'run-end' && event.status === 'done');
    expect((await transcript(survivor, dead)).map(([, text]) => text)).toEqual(['Hi', 'half']);
    expect((await transcript(survivor, alive)).map(([, text]) => text)).toEqual(['Hi', 'whole answer']);
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  });

  it('keeps lists at the other in step', async () => {
    const [owner, other] = await pair();
    const controller = new AbortController();
    const got: { kind: string }[] = [];
    const listening = (async () => {
      const person = { userId: 'anonymous', isAdmin: true };
      for await (const event of other.services.feed.user(person, controller.signal)) got.push(event);
    })();
    await expect.poll(() => got.length).toBe(1);
    const sessionId = await owner.newSession();
    await owner.send(sessionId, 'Hi');
    await expect
      .poll(() => got.at(-1))
      .toMatchObject({ session: { id: sessionId, displayMessageCount: 2, runState: 'idle' } });
    controller.abort();
    await listening;
  });

  it('gives a hundred messages of two writers distinct consecutive numbers, and loses none', async () => {
    const [left, right] = await pair();
    const sessionId = await left.newSession();
    // Each through connections of its own, as the product's transactions take them.
    const appendMany = (app: TestApp, name: string, from: Database | undefined) =>
      Array.from({ length: 50 }, (_, index) =>
        createUnitOfWork(from ?? database()).run((tx) =>
          app.services.messages.append(tx, sessionId, [{ role: 'user', content: `${name} ${index}` }]),
        ),
      );
    await Promise.all([...appendMany(left, 'left', databases.at(-2)), ...appendMany(right, 'right', databases.at(-1))]);
    const rows = await database().prisma.sessionMessage.findMany({
      where: { sessionId },
      orderBy: { sequenceNumber: 'asc' },
    });
    expect(rows.map((row) => row.sequenceNumber)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(new Set(rows.map((row) => row.content)).size).toBe(100);
    expect((await right.api.sessions.get({ sessionId })).displayMessageCount).toBe(100);
  });

  it('renames and pins while a reply streams without a deadlock, and the list keeps its order', async () => {
    // Nobody who met a deadlock gets an answer before that time.
    const setUp = createDatabase({ url: url(), engine: 'postgres', poolSize: 1 });
    await setUp.pool.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ${DEADLOCK_TIMEOUT_MS}', current_database());
    END $$`);
    await setUp.close();
    const [owner, other] = await pair();
    const sessionId = await owner.newSession();
    let said = '';
    let isDone = false;
    owner.model.replies.push(async function* () {
      while (!isDone) {
        yield { type: 'text-delta', text: 'word ' };
        said += 'word ';
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      yield finish();
    });
    await owner.send(sessionId, 'Hi');
    const { lastActive } = await other.api.sessions.get({ sessionId });
    const slowest = { ms: 0 };
    const timed = async (work: Promise<unknown>) => {
      const before = performance.now();
      await work;
      slowest.ms = Math.max(slowest.ms, performance.now() - before);
    };
    for (let round = 0; round < 15; round++) {
      await Promise.all([
        timed(other.api.sessions.rename({ sessionId, name: `Name ${round}` })),
        timed(owner.api.sessions.setPinned({ sessionId, pinned: round % 2 === 0 })),
        timed(other.api.sessions.setModel({ sessionId, model: `test/m${round}` })),
      ]);
    }
    expect((await other.api.sessions.get({ sessionId })).lastActive).toBe(lastActive);
    isDone = true;
    await other.untilIdle(sessionId);
    expect(slowest.ms).toBeLessThan(DEADLOCK_TIMEOUT_MS / 2);
    expect((await transcript(other, sessionId)).at(-1)).toEqual(['assistant', said]);
    expect(await other.api.sessions.get({ sessionId })).toMatchObject({
      name: 'Name 14',
      pinned: true,
      model: 'test/m14',
    });
  });
});
