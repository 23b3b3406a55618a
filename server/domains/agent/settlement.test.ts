import { expect, it } from 'vitest';
import { describeEachEngine } from '../../testing/database';
import { createGate, finish, say, sayAround } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { killOwner, QUIET_LEASE_MS, transcript, useApps } from '../../testing/use-apps';

/** Renewed three times within it: a machine may stand still for seconds and nobody is taken for dead. */
const LEASE_MS = 6_000;

describeEachEngine('settlement', (getDatabase) => {
  const open = useApps(getDatabase);

  it('refuses every late write of a worker whose lease was taken over, and doubles nothing', async () => {
    const old = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await old.newSession();
    const gate = createGate();
    old.model.replies.push(async function* () {
      yield { type: 'text-delta', text: 'said before' };
      // Deaf to its signal, as a worker is that was frozen and thawed.
      await gate.pass(new AbortController().signal);
      for (const text of [' late', ' words']) yield { type: 'text-delta', text };
      yield finish();
    });
    const watcher = old.watch(sessionId);
    await old.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    await killOwner(getDatabase(), sessionId);
    const survivor = await open({ leaseMs: QUIET_LEASE_MS });
    await survivor.untilIdle(sessionId);
    survivor.model.replies.push(say('resumed'));
    await survivor.api.runs.resume({ sessionId });
    await survivor.untilIdle(sessionId);
    gate.open();
    await old.close();
    expect((await transcript(survivor, sessionId)).map(([, text]) => text)).toEqual(['Hi', 'said before', 'resumed']);
    const { rows } = await getDatabase().pool.query(
      `SELECT status, count(*)::int AS count FROM session_runs WHERE session_id = $1 GROUP BY status ORDER BY 1`,
      [sessionId],
    );
    expect(rows).toEqual([
      { status: 'done', count: 1 },
      { status: 'interrupted', count: 1 },
    ]);
    await watcher.stop();
  });

  it('happens once, although several survivors notice at the same time', async () => {
    const dead = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await dead.newSession();
    const gate = createGate();
    dead.model.replies.push(sayAround('half', gate, ''));
    const watcher = dead.watch(sessionId);
    await dead.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    await watcher.stop();
    await killOwner(getDatabase(), sessionId);
    const survivors = await Promise.all([1, 2, 3].map(() => open({ leaseMs: QUIET_LEASE_MS })));
    // Whoever is asked settles first: all of them at once here, beside their own first sweeps.
    await Promise.all(survivors.map((app) => app.api.runs.stop({ sessionId })));
    const [first] = survivors;
    if (first === undefined) throw new Error('no survivor');
    const { messages } = await first.api.messages.page({ sessionId });
    expect(messages.map((message) => [message.content, message.metadata.interrupted ?? false])).toEqual([
      ['Hi', false],
      ['half', true],
    ]);
    const events = await getDatabase().prisma.sessionEvent.findMany({ where: { sessionId, kind: 'run-end' } });
    expect(events).toHaveLength(1);
  });

  it('leaves runs alone whose lease is kept elsewhere', async () => {
    const busy = await open({ leaseMs: LEASE_MS });
    const sessionId = await busy.newSession();
    const gate = createGate();
    busy.model.replies.push(sayAround('go', gate, 'ing'));
    await busy.send(sessionId, 'Hi');
    await gate.reached;
    // Another process of the same database. The embedded engine allows one only: a start there means that all others died.
    if (getDatabase().engine === 'postgres') {
      const other = await open({ leaseMs: LEASE_MS });
      const swept = other.watch(sessionId);
      expect(await swept.until((event) => event.kind === 'snapshot')).toMatchObject({ runState: 'running' });
      // Longer than the lease: only its heartbeats keep it.
      await expect
        .poll(async () => {
          const { rows } = await getDatabase().pool.query<{ isOld: boolean; status: string }>(
            `SELECT now() > started_at + $2 * interval '1 millisecond' AS "isOld", status FROM session_runs WHERE session_id = $1`,
            [sessionId, LEASE_MS],
          );
          return rows[0];
        })
        .toEqual({ isOld: true, status: 'running' });
      await swept.stop();
    }
    gate.open();
    await busy.untilIdle(sessionId);
    expect((await transcript(busy, sessionId)).at(-1)).toEqual(['assistant', 'going']);
  });

  it('goes on with a run of its own whose lease ran out, as it does while the database is away', async () => {
    const app = await open({ leaseMs: 600_000 });
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('go', gate, 'ing'));
    await app.send(sessionId, 'Hi');
    await gate.reached;
    await getDatabase().pool.query(`UPDATE session_runs SET lease_expires_at = now() - interval '1 second'`);
    await expect(app.api.messages.regenerate({ sessionId })).rejects.toThrow('being written');
    gate.open();
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).at(-1)).toEqual(['assistant', 'going']);
  });

  it('settles the runs of this process as interrupted when it closes, text and thinking kept, and resumes after', async () => {
    const before = await open();
    const sessionId = await before.newSession();
    const gate = createGate();
    before.model.replies.push(async function* ({ signal }) {
      yield { type: 'thinking-delta', text: 'Hmm.' };
      yield { type: 'text-delta', text: 'The answer is' };
      await gate.pass(signal);
    });
    const watcher = before.watch(sessionId);
    await before.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    await watcher.stop();
    await before.close();
    const after = await open();
    const [, answer] = (await after.api.messages.page({ sessionId })).messages;
    expect(answer).toMatchObject({ content: 'The answer is', thinking: 'Hmm.', metadata: { interrupted: true } });
    expect((await after.api.sessions.get({ sessionId })).runState).toBe('interrupted');
    after.model.replies.push(say(' 42.'));
    await after.api.runs.resume({ sessionId });
    await after.untilIdle(sessionId);
    const prompt = JSON.stringify(after.model.calls[0]?.prompt);
    expect(prompt).toContain('The answer is');
    expect(prompt).toContain('was cut off');
    await expect(after.api.runs.resume({ sessionId })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('keeps the text of a step once, when its worker dies during the tool call that followed it', async () => {
    const gate = createGate();
    const slow = createTestTool('slow', async (_input, { signal }) => {
      await gate.pass(signal);
      return { text: 'late' };
    });
    const dead = await open({ leaseMs: QUIET_LEASE_MS, tools: [slow] });
    const sessionId = await dead.newSession();
    dead.model.replies.push(() => [
      { type: 'text-delta', text: 'Let me look.' },
      { type: 'tool-call', id: 'a', name: 'slow', arguments: {}, malformed: null },
      { type: 'tool-call', id: 'b', name: 'slow', arguments: {}, malformed: null },
      finish('tool-calls'),
    ]);
    await dead.send(sessionId, 'Go');
    await gate.reached;
    await killOwner(getDatabase(), sessionId);
    const survivor = await open({ leaseMs: QUIET_LEASE_MS, tools: [slow] });
    await survivor.untilIdle(sessionId);
    const { messages } = await survivor.api.messages.page({ sessionId });
    expect(messages.map((message) => [message.role, message.metadata.toolStatus ?? message.content])).toEqual([
      ['user', 'Go'],
      ['assistant', 'Let me look.'],
      ['tool', 'interrupted'],
      ['tool', 'interrupted'],
      ['system', 'Interrupted when the server stopped'],
    ]);
    gate.open();
  });

  it('ends an abandoned run at once when the person regenerates, instead of calling the session busy', async () => {
    const app = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('half', gate, ''), say('anew'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    await killOwner(getDatabase(), sessionId);
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['Hi', 'anew']);
    await watcher.stop();
  });

  it('keeps what was said in a session that is removed while it runs, for the case that it is taken back', async () => {
    const app = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('half', gate, ''));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    await app.api.sessions.remove({ sessionId });
    await expect
      .poll(async () => (await getDatabase().prisma.sessionRun.findFirst({ where: { sessionId } }))?.status)
      .toBe('stopped');
    expect(await app.api.sessions.restore({ sessionId })).toMatchObject({ runState: 'idle', displayMessageCount: 2 });
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['Hi', 'half']);
    await app.send(sessionId, 'Still there?');
    await app.untilIdle(sessionId);
  });

  it('stops before the first token, and the model is told nothing of the stop', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(async function* ({ signal }) {
      await gate.pass(signal);
      yield finish();
    });
    await app.send(sessionId, 'Hi');
    await gate.reached;
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    expect(await transcript(app, sessionId)).toEqual([
      ['user', 'Hi'],
      ['system', 'Stopped'],
    ]);
    await app.api.runs.resume({ sessionId });
    await app.untilIdle(sessionId);
    expect(app.model.calls[1]?.prompt.slice(1)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
    expect(await app.api.runs.stop({ sessionId })).toEqual({ stopped: false, runState: 'idle' });
  });
});
