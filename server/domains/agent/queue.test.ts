import { expect, it } from 'vitest';
import { ModelCallError } from '../../providers/types';
import { describeEachEngine } from '../../testing/database';
import { createGate, type Reply, say, sayAround } from '../../testing/scripted-model';
import { killOwner, transcript, useApps } from '../../testing/use-apps';

/** Looked for three times within it, and longer than a busy machine stands still. */
const LEASE_MS = 6_000;

const fail: Reply = () => {
  throw new ModelCallError('provider-unavailable', 'The model is away.');
};

describeEachEngine('messages that wait', (getDatabase) => {
  const open = useApps(getDatabase);

  it('are delivered first in, first out, each with its number when it starts', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('one', gate, '!'), say('two'), say('three'), say('four'));
    await app.send(sessionId, 'first');
    await gate.reached;
    for (const text of ['second', 'third', 'fourth']) {
      expect(await app.send(sessionId, text, text)).toEqual({ message: null, runId: null, queuedId: text });
    }
    const { queue } = await app.api.messages.queue({ sessionId });
    expect(queue.map((waiting) => [waiting.queuedId, waiting.text])).toEqual([
      ['second', 'second'],
      ['third', 'third'],
      ['fourth', 'fourth'],
    ]);
    gate.open();
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual([
      'first',
      'one!',
      'second',
      'two',
      'third',
      'three',
      'fourth',
      'four',
    ]);
    expect((await app.send(sessionId, 'third', 'third')).message?.sequenceNumber).toBe(5);
    expect((await app.api.messages.queue({ sessionId })).queue).toEqual([]);
  });

  it('can be edited and taken back until they start, and every tab sees it', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('a', gate, 'b'));
    await app.send(sessionId, 'first');
    await gate.reached;
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'typo', 'edited');
    await app.send(sessionId, 'never mind', 'cancelled');
    await app.api.messages.editQueued({ sessionId, queuedId: 'edited', text: 'mended' });
    const blank = app.api.messages.editQueued({ sessionId, queuedId: 'edited', text: ' \u0000\n' });
    await expect(blank).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await app.api.messages.cancelQueued({ sessionId, queuedId: 'cancelled' });
    await watcher.until(
      (event) => event.kind === 'queue-updated' && event.queue[0]?.text === 'mended' && event.queue.length === 1,
    );
    gate.open();
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['first', 'ab', 'mended', 'All right.']);
    for (const queuedId of ['edited', 'cancelled', 'unknown']) {
      const late = app.api.messages.cancelQueued({ sessionId, queuedId });
      await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    // The same id again does not bring back what was taken back.
    expect(await app.send(sessionId, 'never mind', 'cancelled')).toEqual({
      message: null,
      runId: null,
      queuedId: null,
    });
    await watcher.stop();
  });

  it('are sent once, although Enter was pressed twice in two tabs at once', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('a', gate, 'b'));
    const answers = await Promise.all([1, 2, 3, 4].map(() => app.send(sessionId, 'Hi', 'same')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await Promise.all([1, 2, 3, 4].map(() => app.send(sessionId, 'And', 'same-2')));
    expect((await app.api.messages.queue({ sessionId })).queue).toHaveLength(1);
    gate.open();
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['Hi', 'ab', 'And', 'All right.']);
  });

  it('go on after a stop and after a failure', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('stopped here', gate, ''), fail, say('third answer'));
    await app.send(sessionId, 'first');
    await gate.reached;
    await app.send(sessionId, 'second');
    await app.send(sessionId, 'third');
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map((message) => message.metadata.error?.message ?? message.content)).toEqual([
      'first',
      'stopped here',
      'second',
      'The model is away.',
      'third',
      'third answer',
    ]);
  });

  it('go on after a crash, settled by whoever notices', async () => {
    const app = await open({ leaseMs: LEASE_MS });
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('half', gate, ''), say('second answer'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'first');
    await watcher.until((event) => event.kind === 'text-delta');
    await app.send(sessionId, 'second');
    await killOwner(getDatabase(), sessionId);
    await watcher.until((event) => event.kind === 'run-end' && event.status === 'done');
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual([
      'first',
      'half',
      'second',
      'second answer',
    ]);
    await watcher.stop();
  });

  it('wait out a restart of the server and start by themselves', async () => {
    const before = await open();
    const sessionId = await before.newSession();
    const gate = createGate();
    before.model.replies.push(sayAround('half', gate, ''));
    const watcher = before.watch(sessionId);
    await before.send(sessionId, 'first');
    await watcher.until((event) => event.kind === 'text-delta');
    await before.send(sessionId, 'second');
    await watcher.stop();
    await before.close();
    const after = await open();
    await after.untilIdle(sessionId);
    const { messages } = await after.api.messages.page({ sessionId });
    expect(messages.map((message) => message.content)).toEqual(['first', 'half', 'second', 'All right.']);
    expect(messages[1]?.metadata.interrupted).toBe(true);
  });

  it('do not start in a session that was removed, and do once it is taken back', async () => {
    const app = await open({ leaseMs: LEASE_MS });
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('half', gate, ''));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'first');
    await watcher.until((event) => event.kind === 'text-delta');
    await app.send(sessionId, 'second');
    await app.api.sessions.remove({ sessionId });
    await expect
      .poll(async () => (await getDatabase().prisma.sessionRun.findFirst({ where: { sessionId } }))?.status)
      .toBe('stopped');
    expect(app.model.calls).toHaveLength(1);
    const restored = await app.api.sessions.restore({ sessionId });
    expect(restored.runState).toBe('queued');
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual([
      'first',
      'half',
      'second',
      'All right.',
    ]);
  });

  it('are refused beyond a hundred, in words', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('a', gate, 'b'));
    await app.send(sessionId, 'first');
    await gate.reached;
    const waiting = { sessionId, status: 'queued' as const, text: 'waiting' };
    await getDatabase().prisma.messageSend.createMany({
      data: Array.from({ length: 100 }, (_, index) => ({ ...waiting, clientMessageId: `id-${index}` })),
    });
    await expect(app.send(sessionId, 'one more')).rejects.toThrow('100 messages already wait');
    await getDatabase().prisma.messageSend.deleteMany({ where: { sessionId, status: 'queued' } });
    gate.open();
    await app.untilIdle(sessionId);
  });
});
