import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { createGate, finish, say, sayAround } from '../../testing/scripted-model';
import { QUIET_LEASE_MS } from '../../testing/use-apps';

describeEachEngine('runs', (getDatabase) => {
  const apps: TestApp[] = [];
  async function open(options: Parameters<typeof createTestApp>[1] = {}): Promise<TestApp> {
    const app = await createTestApp(getDatabase(), options);
    apps.push(app);
    return app;
  }
  afterEach(async () => {
    for (const app of apps.splice(0)) {
      await app.close();
      expect(app.unexpected).toEqual([]);
    }
  });

  it('answers a message, stores both and ends idle', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(say('Hel', 'lo.'));
    const sent = await app.send(sessionId, 'Hi');
    expect(sent.message?.sequenceNumber).toBe(1);
    await app.untilIdle(sessionId);
    const page = await app.api.messages.page({ sessionId });
    expect(page.messages.map((message) => [message.role, message.content])).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello.'],
    ]);
    expect((await app.api.sessions.get({ sessionId })).runState).toBe('idle');
  });

  it('gives a subscriber that joins in the middle the text from the first token', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('first half ', gate, 'second half'));
    await app.send(sessionId, 'Hi');
    await gate.reached;
    const early = app.watch(sessionId);
    await early.until((event) => event.kind === 'text-delta' || (event.kind === 'snapshot' && event.run?.text !== ''));
    const late = app.watch(sessionId);
    const snapshot = await late.until((event) => event.kind === 'snapshot');
    expect(snapshot).toMatchObject({ run: { text: 'first half ' } });
    gate.open();
    await late.until((event) => event.kind === 'run-end');
    const deltas = late.events.map(({ event }) => (event.kind === 'text-delta' ? event.text : '')).join('');
    expect(deltas).toBe('second half');
    await early.stop();
    await late.stop();
  });

  it('answers the same client id as the first time, once started and once queued', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('a', gate, 'b'));
    const id = randomUUID();
    const [first, second] = await Promise.all([app.send(sessionId, 'Hi', id), app.send(sessionId, 'Hi', id)]);
    expect(second).toEqual(first);
    const queued = await app.send(sessionId, 'And', 'queued-1');
    expect(queued).toEqual({ message: null, runId: null, queuedId: 'queued-1' });
    expect(await app.send(sessionId, 'And', 'queued-1')).toEqual(queued);
    gate.open();
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map((message) => message.content)).toEqual(['Hi', 'ab', 'And', 'All right.']);
    expect((await app.send(sessionId, 'And', 'queued-1')).message?.sequenceNumber).toBe(3);
  });

  it('stops within a second and keeps what was said', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('kept', gate, 'never said'));
    await app.send(sessionId, 'Hi');
    await gate.reached;
    expect(await app.api.runs.stop({ sessionId })).toEqual({ stopped: true, runState: 'stopping' });
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages[1]).toMatchObject({ content: 'kept', metadata: { stopped: true } });
  });

  it('marks an answer that the model had no room to end, and goes on from there', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(() => [{ type: 'text-delta', text: 'Once upon' }, finish('length')], say(' a time.'));
    await app.send(sessionId, 'Tell a story');
    await app.untilIdle(sessionId);
    const last = async () => (await app.api.messages.page({ sessionId })).messages.at(-1);
    expect(await last()).toMatchObject({ content: 'Once upon', metadata: { cutBy: 'length' } });
    await app.api.runs.resume({ sessionId });
    await app.untilIdle(sessionId);
    expect(await last()).toMatchObject({ content: ' a time.' });
    expect((await last())?.metadata.cutBy).toBeUndefined();
    await expect(app.api.runs.resume({ sessionId })).rejects.toMatchObject({ cause: { code: 'conflict' } });
  });

  it('marks an answer that a content filter cut, which cannot be gone on with', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(() => [{ type: 'text-delta', text: 'First you' }, finish('content-filter')]);
    await app.send(sessionId, 'How?');
    await app.untilIdle(sessionId);
    expect((await app.api.messages.page({ sessionId })).messages.at(-1)).toMatchObject({
      content: 'First you',
      metadata: { cutBy: 'content-filter' },
    });
    await expect(app.api.runs.resume({ sessionId })).rejects.toMatchObject({ cause: { code: 'conflict' } });
  });

  it('settles the run of a worker that is gone, keeps its text and lets it be resumed', async () => {
    // A long lease, so that it does not notice by itself that it is dead.
    const dead = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await dead.newSession();
    const gate = createGate();
    dead.model.replies.push(sayAround('half an ans', gate, 'wer'));
    const watcher = dead.watch(sessionId);
    await dead.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'text-delta');
    await watcher.stop();
    // The worker goes down without a word: its lease runs out.
    await getDatabase().pool.query(
      `UPDATE session_runs SET worker_id = 'dead', lease_expires_at = now() - interval '1 second'`,
    );
    const survivor = await open();
    await expect.poll(async () => (await survivor.api.sessions.get({ sessionId })).runState).toBe('interrupted');
    const { messages } = await survivor.api.messages.page({ sessionId });
    expect(messages[1]).toMatchObject({ content: 'half an ans', metadata: { interrupted: true } });
    gate.open();
    survivor.model.replies.push(say('wer.'));
    await survivor.api.runs.resume({ sessionId });
    await survivor.untilIdle(sessionId);
    const after = await survivor.api.messages.page({ sessionId });
    expect(after.messages.map((message) => message.content)).toEqual(['Hi', 'half an ans', 'wer.']);
  });

  it('regenerates beside the old answer and switches between the two', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(say('one'), say('two'));
    await app.send(sessionId, 'Hi');
    await app.untilIdle(sessionId);
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    const second = (await app.api.messages.page({ sessionId })).messages;
    expect(second.map((message) => message.content)).toEqual(['Hi', 'two']);
    expect(second[1]?.variants).toMatchObject({ index: 1 });
    const [first] = second[1]?.variants?.branchIds ?? [];
    await app.api.messages.selectVariant({ sessionId, branchId: first ?? -1 });
    const back = (await app.api.messages.page({ sessionId })).messages;
    expect(back.map((message) => message.content)).toEqual(['Hi', 'one']);
    expect(back[1]?.variants).toMatchObject({ index: 0 });
  });
});
