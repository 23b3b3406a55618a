import { afterEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { createGate, createScriptedModel } from '../../testing/scripted-model';
import { answer, prose, SUMMARY, talk, textOf } from './testing/talk';

describeEachEngine('compression', (getDatabase) => {
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

  /** A session with `turns` exchanges of about 2 × 400 tokens each, unless the person's words have another length. */
  async function filled(app: TestApp, turns: number, chars = 1600): Promise<string> {
    const sessionId = await app.newSession();
    for (let turn = 1; turn <= turns; turn++) {
      await app.send(sessionId, prose(`q${turn}`, chars));
      await app.untilIdle(sessionId);
    }
    return sessionId;
  }
  /** The same, and its next summary waits at the gate: until its signal aborts as well, unless it is deaf to that. */
  async function filledAndHeld(app: TestApp, { isDeaf = false } = {}) {
    const model = talk(app.model, (call) => prose(`a${call}`, 1600));
    const sessionId = await filled(app, 6, 1200);
    const gate = createGate();
    model.summaries.push(async function* (input) {
      await gate.pass(isDeaf ? new AbortController().signal : input.signal);
      yield* answer(SUMMARY)(input);
    });
    return { sessionId, gate };
  }
  /** Without prices: every answered call teaches the model's line something. */
  const contextOf = async (app: TestApp, sessionId: string) =>
    (await app.api.debug.context({ sessionId })).messages.map(({ tokens: _, ...message }) => message);
  const displayOf = async (app: TestApp, sessionId: string) =>
    (await app.api.messages.page({ sessionId, limit: 200 })).messages.filter((message) => !message.isCompression);

  it('replaces old turns when a person asks, tells it by one card, and undo brings the exact context back', async () => {
    const app = await open();
    const model = talk(app.model, (call) => prose(`a${call}`, 1600));
    const sessionId = await filled(app, 6, 1200);
    const before = await contextOf(app, sessionId);
    const displayBefore = await displayOf(app, sessionId);
    const watcher = app.watch(sessionId);

    const result = await app.api.compression.run({ sessionId, focus: 'the numbers' });
    if (result.kind !== 'compression') throw new Error(`refused: ${result.reason}`);
    expect(result.compression).toMatchObject({
      status: 'done',
      trigger: 'forced',
      method: 'summary',
      focus: 'the numbers',
    });
    expect(result.compression.tokensAfter).toBeLessThan(result.compression.tokensBefore);
    expect(result.compression.breadcrumbs).toEqual(expect.arrayContaining(['alpha', '/etc/navi.conf']));
    expect(textOf(model.summaryCalls[0]?.prompt ?? [])).toContain('the numbers');

    await watcher.until((event) => event.kind === 'compression-end');
    const kinds = watcher.events.map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind === 'compression-start')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'compression-end')).toHaveLength(1);
    expect(kinds.indexOf('compression-start')).toBeLessThan(kinds.indexOf('compression-end'));
    await watcher.stop();

    const after = await contextOf(app, sessionId);
    expect(after[0]).toMatchObject({ source: 'summary' });
    expect(after[0]?.text).toContain('many things');
    expect(after).toHaveLength(result.compression.messagesAfter ?? 0);
    const session = await app.api.sessions.get({ sessionId });
    expect(session.contextTokenCount).toBe(result.compression.tokensAfter);
    expect(await displayOf(app, sessionId)).toEqual(
      displayBefore.map((message) => ({
        ...message,
        isContext: after.some(({ sequenceNumber }) => sequenceNumber === message.sequenceNumber),
      })),
    );
    const page = await app.api.messages.page({ sessionId, limit: 200 });
    expect(page.messages.filter((message) => message.isCompression)).toHaveLength(1);

    const covered = await app.api.compression.covered({ sessionId, compressionId: result.compressionId, limit: 200 });
    expect(covered.messages).toHaveLength(result.compression.coveredCount);

    const undone = await app.api.compression.undo({ sessionId, compressionId: result.compressionId });
    expect(undone.undoneAt).not.toBeNull();
    expect(await contextOf(app, sessionId)).toEqual(before);
    await expect(app.api.compression.undo({ sessionId, compressionId: result.compressionId })).rejects.toMatchObject({
      message: expect.stringContaining('latest'),
    });
  });

  it('refuses in words when there is nothing to compress', async () => {
    const app = await open();
    talk(app.model, () => 'Short.');
    const sessionId = await filled(app, 1);
    expect(await app.api.compression.run({ sessionId })).toMatchObject({
      kind: 'refused',
      reason: 'nothing-to-compress',
    });
    const list = await app.api.compression.list({ sessionId });
    expect(list.items).toEqual([]);
  });

  it('compresses before the limit is reached, and every prompt stays within the window', async () => {
    const app = await open();
    const model = talk(app.model, (call) => prose(`a${call}`, 1600));
    const sessionId = await filled(app, 16);
    const { items } = await app.api.compression.list({ sessionId });
    expect(items.length).toBeGreaterThan(0);
    expect(items.every((item) => item.status === 'done')).toBe(true);
    for (const call of model.calls) expect(textOf(call.prompt).length / 4).toBeLessThan(8192);
  });

  it('makes one compression of two requests at once, on two workers', async () => {
    const app = await open();
    const other = await open({ model: app.model });
    const model = talk(app.model, (call) => prose(`a${call}`, 1600));
    const sessionId = await filled(app, 6);
    const gate = createGate();
    model.summaries.push(async function* (input) {
      await gate.pass(input.signal);
      yield* answer(SUMMARY)(input);
    });
    const first = app.api.compression.run({ sessionId });
    await gate.reached;
    const two = await other.api.compression.run({ sessionId, wait: false });
    const busy = await other.send(sessionId, 'Meanwhile');
    expect(busy).toMatchObject({ message: null, runId: null });
    gate.open();
    const one = await first;
    if (one.kind !== 'compression') throw new Error('refused');
    expect(one.compression.status).toBe('done');
    expect(two).toMatchObject({ kind: 'compression', isJoined: true, compressionId: one.compressionId });
    await expect.poll(async () => (await displayOf(app, sessionId)).at(-2)?.content).toBe('Meanwhile');
    const { items } = await app.api.compression.list({ sessionId });
    expect(items).toHaveLength(1);
  });

  it('keeps the context when no summary can be used, says why on a card, and does not try again at once', async () => {
    const app = await open();
    const model = talk(app.model, (call) => prose(`a${call}`, 1600));
    const sessionId = await filled(app, 6, 1200);
    const before = await contextOf(app, sessionId);
    model.summaries.push(answer('I cannot help with that.'), answer(prose('inflated', 40_000)));
    const result = await app.api.compression.run({ sessionId });
    expect(result).toMatchObject({
      kind: 'compression',
      compression: { status: 'failed', faults: ['refusal', 'not-smaller'], reason: 'not-smaller' },
    });
    expect(await contextOf(app, sessionId)).toEqual(before);
    const page = await app.api.messages.page({ sessionId, limit: 200 });
    expect(page.messages.filter((message) => message.isCompression).map((message) => message.content)).toEqual([
      expect.stringContaining('no smaller'),
    ]);
  });

  it('takes out the oldest turns without a model when the context is full and no summary comes', async () => {
    const app = await open();
    const model = talk(app.model, (call) => prose(`a${call}`, 1600));
    model.summaries.push(...Array.from({ length: 40 }, () => answer('')));
    const sessionId = await filled(app, 12);
    const { items } = await app.api.compression.list({ sessionId });
    expect(items[items.length - 1]).toMatchObject({
      status: 'done',
      method: 'hard-truncate',
      faults: expect.arrayContaining(['empty']),
    });
    for (const call of model.calls) expect(textOf(call.prompt).length / 4).toBeLessThan(8192);
    const found = await app.api.memory.search({ sessionId, query: 'subject q1' });
    expect(found.items.some((item) => item.text.includes('q1'))).toBe(true);
  });

  it('a stop ends a compression, and the context is as before', async () => {
    const app = await open();
    const { sessionId, gate } = await filledAndHeld(app);
    const before = await contextOf(app, sessionId);
    const running = app.api.compression.run({ sessionId });
    await gate.reached;
    await app.api.runs.stop({ sessionId });
    expect(await running).toMatchObject({
      kind: 'compression',
      compression: { status: 'failed', reason: 'cancelled' },
    });
    expect(await contextOf(app, sessionId)).toEqual(before);
    await expect.poll(async () => (await app.api.sessions.get({ sessionId })).runState).toBe('idle');
  });

  it.each(['stop', 'delete and restore'] as const)(
    'a %s that has not reached the worker which compresses leaves the context as before',
    async (request) => {
      // Two workers. Those of a test share a process but no bus on the embedded engine, and there the later one ends what it finds.
      const elsewhere = await open();
      const app = await open();
      // Whatever the signal says: the worker is to find the request by itself.
      const { sessionId, gate } = await filledAndHeld(app, { isDeaf: true });
      const before = await contextOf(app, sessionId);
      const running = app.api.compression.run({ sessionId });
      await gate.reached;
      if (request === 'stop') await elsewhere.api.runs.stop({ sessionId });
      else {
        await elsewhere.api.sessions.remove({ sessionId });
        await elsewhere.api.sessions.restore({ sessionId });
      }
      gate.open();
      expect(await running).toMatchObject({ compression: { status: 'failed', reason: 'cancelled' } });
      await app.untilIdle(sessionId);
      expect(await contextOf(app, sessionId)).toEqual(before);
      const { status } = await getDatabase().prisma.sessionRun.findFirstOrThrow({
        where: { sessionId, kind: 'compression' },
      });
      expect(status).toBe('stopped');
    },
  );

  it('a chat that is deleted while it compresses stays deleted, and comes back whole when that is undone', async () => {
    const app = await open();
    const { sessionId, gate } = await filledAndHeld(app);
    const [before, display] = [await contextOf(app, sessionId), await displayOf(app, sessionId)];
    await app.api.compression.run({ sessionId, wait: false });
    await gate.reached;
    await app.api.sessions.remove({ sessionId });
    gate.open();
    await expect(app.api.compression.list({ sessionId })).rejects.toThrow();
    // Nobody takes a chat back so fast that its end has not come through: that is another story.
    const isRunning = () =>
      getDatabase().prisma.sessionRun.count({ where: { sessionId, kind: 'compression', status: 'running' } });
    await expect.poll(isRunning, { timeout: 20_000 }).toBe(0);
    await app.api.sessions.restore({ sessionId });
    await app.untilIdle(sessionId);
    expect(await contextOf(app, sessionId)).toEqual(before);
    expect(await displayOf(app, sessionId)).toEqual(display);
    const { items } = await app.api.compression.list({ sessionId });
    expect(items.map(({ status }) => status)).toEqual(['failed']);
  });

  it('undo after more was said restores the old context with the new messages, and a fork of that is the same', async () => {
    const app = await open();
    talk(app.model, (call) => prose(`a${call}`, 400));
    const sessionId = await filled(app, 6, 400);
    const before = await contextOf(app, sessionId);
    const result = await app.api.compression.run({ sessionId });
    if (result.kind !== 'compression') throw new Error('refused');
    await app.send(sessionId, 'And now?');
    await app.untilIdle(sessionId);
    const said = (await contextOf(app, sessionId)).filter(
      ({ source, sequenceNumber }) => source === null && sequenceNumber > before.length,
    );
    expect(said).toHaveLength(2);
    await app.api.compression.undo({ sessionId, compressionId: result.compressionId });
    const after = (await contextOf(app, sessionId)).filter(({ source }) => source !== 'memory_recall');
    expect(after).toEqual([...before, ...said]);
    const fork = await app.api.sessions.fork({ sessionId });
    expect(await contextOf(app, fork.id)).toEqual(await contextOf(app, sessionId));
    expect((await app.api.compression.run({ sessionId: fork.id })).kind).toBe('compression');
  });

  it('a fork has the context its source had at that message, before and after a compression', async () => {
    const app = await open();
    talk(app.model, (call) => prose(`a${call}`, 1500));
    const sessionId = await filled(app, 5);
    const result = await app.api.compression.run({ sessionId });
    if (result.kind !== 'compression') throw new Error('refused');
    await app.send(sessionId, 'And now?');
    await app.untilIdle(sessionId);
    const source = await contextOf(app, sessionId);
    const whole = await app.api.sessions.fork({ sessionId });
    expect(await contextOf(app, whole.id)).toEqual(source);
    const found = await app.api.memory.search({ sessionId: whole.id, query: 'subject q1' });
    expect(found.items.length).toBeGreaterThan(0);
    const [copied] = (await app.api.compression.list({ sessionId: whole.id })).items;
    expect(copied?.id).not.toBe(result.compressionId);
    const undone = await app.api.compression.undo({ sessionId: whole.id, compressionId: copied?.id ?? '' });
    expect(undone.undoneAt).not.toBeNull();
    const early = await app.api.sessions.fork({ sessionId, sequenceNumber: 8 });
    expect((await contextOf(app, early.id)).map((message) => message.sequenceNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await app.api.compression.list({ sessionId: early.id })).items).toEqual([]);
  });

  it('a regenerated answer from before a compression sees the context of then, and switching back restores the summary', async () => {
    const app = await open();
    talk(app.model, (call) => prose(`a${call}`, 800));
    const sessionId = await filled(app, 6);
    const result = await app.api.compression.run({ sessionId });
    if (result.kind !== 'compression') throw new Error('refused');
    const compressed = await contextOf(app, sessionId);
    await app.api.messages.regenerate({ sessionId, sequenceNumber: 3 });
    await app.untilIdle(sessionId);
    const then = await contextOf(app, sessionId);
    expect(then.slice(0, 3).map((message) => message.sequenceNumber)).toEqual([1, 2, 3]);
    expect(then.some((message) => message.source === 'summary')).toBe(false);
    const page = await app.api.messages.page({ sessionId, limit: 200 });
    const [first] = page.messages[3]?.variants?.branchIds ?? [];
    await app.api.messages.selectVariant({ sessionId, branchId: first ?? -1 });
    expect(await contextOf(app, sessionId)).toEqual(compressed);
  });

  it('recalls what a new message speaks of, as a card and in the prompt', async () => {
    const app = await open();
    const model = talk(app.model, (call) => prose(`a${call}`, 1200));
    const sessionId = await app.newSession();
    await app.send(
      sessionId,
      'The wifi password of the cabin is heliotrope-77, and the key lies under the blue flowerpot.',
    );
    await app.untilIdle(sessionId);
    for (let turn = 2; turn <= 7; turn++) {
      await app.send(sessionId, prose(`q${turn}`, 1600));
      await app.untilIdle(sessionId);
    }
    const result = await app.api.compression.run({ sessionId });
    expect(result.kind).toBe('compression');
    await app.send(sessionId, 'What was the wifi password of the cabin?');
    await app.untilIdle(sessionId);
    expect(textOf(model.calls.at(-1)?.prompt ?? [])).toContain('heliotrope-77');
    const page = await app.api.messages.page({ sessionId, limit: 200 });
    const card = page.messages.find((message) => message.metadata.source === 'memory_recall');
    expect(card).toMatchObject({ isDisplay: true, isContext: true });
    // The same excerpt is not brought in twice while it is there.
    await app.send(sessionId, 'And the wifi password of the cabin again?');
    await app.untilIdle(sessionId);
    const again = await app.api.messages.page({ sessionId, limit: 200 });
    expect(again.messages.filter((message) => message.metadata.source === 'memory_recall')).toHaveLength(1);
  });

  it('tells once that instructions and tools alone fill the window, and neither loops nor breaks', async () => {
    const scripted = createScriptedModel();
    const narrow = await scripted.models.defaultModel();
    const small = { ...narrow, windowTokens: () => 1200 };
    scripted.models = { ...scripted.models, defaultModel: async () => small, resolve: async () => small };
    const app = await open({ model: scripted });
    const model = talk(app.model, () => 'Yes.');
    const sessionId = await app.newSession();
    for (const text of ['One', 'Two', 'Three']) {
      await app.send(sessionId, text);
      await app.untilIdle(sessionId);
    }
    const { messages } = await app.api.messages.page({ sessionId, limit: 200 });
    const cards = messages.filter((message) => message.isCompression);
    expect(cards.map((message) => message.content)).toEqual([expect.stringContaining('alone fill the window')]);
    const errors = messages.flatMap((message) => message.metadata.error ?? []);
    expect(errors.map((error) => error.code)).toEqual(['context-overflow', 'context-overflow', 'context-overflow']);
    expect(errors[0]?.message).toContain('larger window');
    expect(model.calls).toEqual([]);
    expect(model.summaryCalls).toEqual([]);
    const { breaker, meter } = await app.api.debug.context({ sessionId });
    expect(breaker).toBe('fixed-overhead');
    // The ring shows what could not be sent, not the nothing that was.
    const session = await app.api.sessions.get({ sessionId });
    expect(session.contextTokenCount).toBe(meter.tokens);
    expect(session.contextWindow).toBe(1200);
  });
});
