/** Faults that people met elsewhere, fed to ours over the real app. The letters name the reports they come from. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelCallInput } from '../../providers/types';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { callTools, createGate } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { useApps } from '../../testing/use-apps';
import { history } from './engine/testing/histories';
import { counted, partedIn, talked, withWindow } from './testing/case-models';
import { storeHistory } from './testing/store-history';
import { answer, prose, SUMMARY, talk, textOf } from './testing/talk';

describe('cases reported elsewhere', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.close());
  const openApp = useApps(() => database);

  it('A08: an empty range is refused in words, and no summariser is asked', async () => {
    const app = await openApp();
    const state = talk(app.model, () => 'Yes.');
    const sessionId = await app.newSession();
    expect(await app.api.compression.run({ sessionId })).toMatchObject({
      kind: 'refused',
      reason: 'nothing-to-compress',
    });
    expect(state.summaryCalls).toEqual([]);
    expect((await app.api.compression.list({ sessionId })).items).toEqual([]);
  });

  it('A11: results whose call is gone and calls whose result is gone are never sent, also after a compression', async () => {
    const model = await withWindow(8192);
    const app = await openApp({ model });
    const state = talk(model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    const built = talked(10);
    built.result('gone', prose('orphan', 2000)).calls(['pending', 'done']).result('done', prose('r', 300));
    await storeHistory(database, sessionId, built.messages);
    const result = await app.api.compression.run({ sessionId });
    expect(result).toMatchObject({ kind: 'compression', compression: { status: 'done' } });
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    for (const call of state.calls) expect(partedIn(call)).toEqual([]);
  });

  it('a call that waits for a yes stays in the context, whoever compresses meanwhile, and is answered afterwards', async () => {
    const model = await withWindow(8192);
    const ask = createTestTool('danger', async () => ({ text: 'it was done' }), { class: 'execute' });
    const app = await openApp({ model, tools: [ask] });
    const state = talk(model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(2).messages);
    model.replies.push(callTools({ name: 'danger', id: 'risky' }));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Do it');
    await watcher.until((event) => event.kind === 'approval-asked');
    const result = await app.api.compression.run({ sessionId });
    expect(['refused', 'compression']).toContain(result.kind);
    await app.api.runs.approve({ sessionId, toolCallId: 'risky', decision: 'approved' });
    await watcher.stop();
    await app.untilIdle(sessionId);
    const last = state.calls.at(-1);
    expect(textOf(last?.prompt ?? [])).toContain('it was done');
    expect(partedIn(last)).toEqual([]);
  });

  it('a yes that was given before a compression does not answer for a later call under the same id', async () => {
    const made: unknown[] = [];
    const danger = createTestTool(
      'danger',
      async (input) => {
        made.push(input.what);
        return { text: `did ${input.what}` };
      },
      { class: 'execute' },
    );
    const filler = createTestTool('filler', async () => ({ text: prose('filler', 4000) }));
    const app = await openApp({ model: await withWindow(8192), tools: [danger, filler] });
    const { model } = app;
    talk(model, (call) => prose(`a${call}`, 300));
    const say = model.fallback;
    const asks = (input: ModelCallInput) => textOf(input.prompt).includes('<conversation>');
    let step = 0;
    model.fallback = (input) => {
      if (asks(input)) return say(input);
      step += 1;
      if (step === 1) return callTools({ name: 'danger', id: '0', arguments: { what: 'small' } })(input);
      if (step < 14) return counted(callTools({ name: 'filler', id: `${step}` }))(input);
      if (step === 14) return callTools({ name: 'danger', id: '0', arguments: { what: 'large' } })(input);
      return say(input);
    };
    const sessionId = await app.newSession();
    const watcher = app.watch(sessionId);
    const asked: string[] = [];
    const nextAsked = async () => {
      const event = await watcher.until(
        (one) => one.kind === 'approval-asked' && !asked.includes(one.approval.toolCallId),
      );
      if (event.kind === 'approval-asked') asked.push(event.approval.toolCallId);
      return asked.at(-1) ?? '';
    };
    await app.send(sessionId, 'Begin');
    await app.api.runs.approve({ sessionId, toolCallId: await nextAsked(), decision: 'approved' });
    const second = await nextAsked();
    expect((await app.api.compression.list({ sessionId })).items.length).toBeGreaterThan(0);
    expect(made).toEqual(['small']);
    await app.api.runs.approve({ sessionId, toolCallId: second, decision: 'denied' });
    await watcher.stop();
    await app.untilIdle(sessionId);
    expect(made).toEqual(['small']);
  });

  it('A20: the profile prompt and the plan with its statuses stand in the first prompt after a compression', async () => {
    const model = await withWindow(8192);
    const app = await openApp({ model });
    const state = talk(model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(8).messages);
    await app.api.todos.addStep({ sessionId, step: { text: 'Paint the northern fence' } });
    await app.send(sessionId, 'Hello');
    await app.untilIdle(sessionId);
    const before = state.calls[0]?.prompt[0];
    await app.api.compression.run({ sessionId });
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    const prompt = state.calls.at(-1)?.prompt ?? [];
    expect(prompt[0]).toEqual(before);
    expect(textOf(prompt)).toContain('Paint the northern fence');
    expect(textOf(prompt)).toContain('talk about many things');
  });

  it('A28: what is sent while a compression runs waits in sight, and is answered in the order in which it was sent', async () => {
    const model = await withWindow(8192);
    const app = await openApp({ model });
    const state = talk(model, (call) => `answer ${call}`);
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(8).messages);
    const gate = createGate();
    state.summaries.push(async function* (input) {
      await gate.pass(input.signal);
      yield* answer(SUMMARY)(input);
    });
    const running = app.api.compression.run({ sessionId });
    await gate.reached;
    for (const text of ['first', 'second', 'third']) await app.send(sessionId, text);
    const { queue } = await app.api.messages.queue({ sessionId });
    expect(queue.map((item) => item.text)).toEqual(['first', 'second', 'third']);
    gate.open();
    await running;
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId, limit: 200 });
    const said = messages.filter((message) => message.sequenceNumber > 16 && message.role !== 'system');
    expect(said.map((message) => message.content)).toEqual([
      'first',
      'answer 1',
      'second',
      'answer 2',
      'third',
      'answer 3',
    ]);
  });

  it('A29: a fork of what was compressed, taken back and compressed again still finds everything', async () => {
    const app = await openApp({ model: await withWindow(8192) });
    talk(app.model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(8).messages);
    const first = await app.api.compression.run({ sessionId });
    if (first.kind !== 'compression') throw new Error('refused');
    await app.api.compression.undo({ sessionId, compressionId: first.compressionId });
    const second = await app.api.compression.run({ sessionId });
    if (second.kind !== 'compression') throw new Error('refused');
    const search = (id: string) => app.api.memory.search({ sessionId: id, query: 'subject q1' });
    const own = (await search(sessionId)).items;
    expect(own.length).toBeGreaterThan(0);
    const fork = await app.api.sessions.fork({ sessionId });
    expect((await search(fork.id)).items.map((item) => item.text)).toEqual(own.map((item) => item.text));
  });

  it('A29: a fork between two compressions has the first one only, in context and in its list', async () => {
    const app = await openApp({ model: await withWindow(8192) });
    talk(app.model, (call) => prose(`a${call}`, 900));
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(8).messages);
    const contextOf = async (id: string) =>
      (await app.api.debug.context({ sessionId: id })).messages.map(({ tokens: _, ...message }) => message);
    await app.api.compression.run({ sessionId });
    for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await app.send(sessionId, `${text} ${prose(text, 600)}`);
      await app.untilIdle(sessionId);
    }
    const between = await contextOf(sessionId);
    const at = between.at(-1)?.sequenceNumber ?? 0;
    const again = await app.api.compression.run({ sessionId });
    expect(again).toMatchObject({ kind: 'compression', compression: { status: 'done' } });
    const fork = await app.api.sessions.fork({ sessionId, sequenceNumber: at });
    expect(await contextOf(fork.id)).toEqual(between);
    expect((await app.api.compression.list({ sessionId: fork.id })).items).toHaveLength(1);
    const found = await app.api.memory.search({ sessionId: fork.id, query: 'subject q1' });
    expect(found.items.some((item) => item.text.includes('subject q1'))).toBe(true);
  });

  it('A34: what was compressed is in exports, can be read again, and its summary with it', async () => {
    const app = await openApp({ model: await withWindow(8192) });
    talk(app.model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(8).messages);
    await app.api.compression.run({ sessionId });
    for (const format of ['markdown', 'json'] as const) {
      const { content } = await app.api.sessions.export({ sessionId, format });
      for (let turn = 1; turn <= 8; turn++) expect(content).toContain(`subject q${turn},`);
      expect(content).toContain('talk about many things');
    }
    const read = await app.api.memory.read({ sessionId, fromSeq: 1, toSeq: 2, limit: 10 });
    expect(read.messages.map((message) => message.sequenceNumber)).toEqual([1, 2]);
  });

  it('A36: the meter divides by the window of the model in use, and a context over a smaller window is made to fit', async () => {
    const model = await withWindow((id) => (id === 'test/large' ? 1_000_000 : 8192));
    const app = await openApp({ model });
    const state = talk(model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    await app.api.sessions.setModel({ sessionId, model: 'test/large' });
    await storeHistory(database, sessionId, talked(60).messages);
    await app.send(sessionId, 'How far are we?');
    await app.untilIdle(sessionId);
    const large = await app.api.sessions.get({ sessionId });
    expect(large.contextWindow).toBe(1_000_000);
    expect(large.contextTokenCount ?? 0).toBeGreaterThan(20_000);
    expect(state.summaryCalls).toEqual([]);
    await app.api.sessions.setModel({ sessionId, model: 'test/small' });
    const switched = await app.api.sessions.get({ sessionId });
    expect(switched.contextWindow).toBe(8192);
    expect(switched.contextTokenCount ?? 0).toBeGreaterThan(8192);
    await app.send(sessionId, 'And now?');
    await app.untilIdle(sessionId);
    const small = await app.api.sessions.get({ sessionId });
    expect(small.contextTokenCount ?? 0).toBeLessThan(8192);
    const { messages } = await app.api.messages.page({ sessionId, limit: 200 });
    expect(messages.flatMap((message) => message.metadata.error ?? [])).toEqual([]);
    const found = await app.api.memory.search({ sessionId, query: 'subject q3' });
    expect(found.items.some((item) => item.text.includes('subject q3,'))).toBe(true);
  });

  it('H01, H02: an image costs what its pixels cost, and none starts a compression by its bytes', async () => {
    const model = await withWindow(8192);
    const app = await openApp({ model });
    const state = talk(model, () => 'Seen.');
    const sessionId = await app.newSession();
    const image = (width: number, height: number) => ({
      id: `${width}`,
      name: 'shot.png',
      kind: 'image' as const,
      mimeType: 'image/png',
      sizeBytes: 3_000_000,
      width,
      height,
    });
    const built = history()
      .user('Look', {
        images: [image(1024, 1024), image(2162, 322)],
        metadata: { imagesSent: ['1024', '2162'], imagesWithheld: [] },
      })
      .assistant('I see.');
    await storeHistory(database, sessionId, built.messages);
    const { meter } = await app.api.debug.context({ sessionId });
    expect(meter.breakdown.images).toBe(1026 + (68 * 11 + 2));
    await app.send(sessionId, 'And?');
    await app.untilIdle(sessionId);
    expect(state.summaryCalls).toEqual([]);
  });

  it('H01: three megabytes of base64 in a tool result cost one view of a message, in context and in a summary', async () => {
    const model = await withWindow(8192);
    const app = await openApp({ model });
    const state = talk(model, () => 'Seen.');
    const sessionId = await app.newSession();
    const built = talked(4);
    built
      .user('Take a picture')
      .calls(['shot'])
      .result('shot', `data:image/png;base64,${'iVBORw0KGgo'.repeat(300_000)}`);
    built.assistant('Here it is.').user('Fine').assistant('Good.');
    await storeHistory(database, sessionId, built.messages);
    const { meter } = await app.api.debug.context({ sessionId });
    expect(meter.tokens).toBeLessThan(8192);
    const result = await app.api.compression.run({ sessionId });
    expect(result).toMatchObject({ kind: 'compression', compression: { status: 'done' } });
    for (const call of state.summaryCalls) expect(textOf(call.prompt).length / 1.8).toBeLessThan(8192);
  });
});
