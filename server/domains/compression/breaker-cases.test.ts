/** Compressions that cannot help or come to nothing: loops that people met elsewhere. The letters name the reports. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { callTools, type Reply } from '../../testing/scripted-model';
import { useApps } from '../../testing/use-apps';
import { counted, heavyTool, stepsBefore, talked, withWindow } from './testing/case-models';
import { storeHistory } from './testing/store-history';
import { answer, prose, talk } from './testing/talk';

describe('compressions that cannot help', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.close());
  const openApp = useApps(() => database);

  const cardsOf = async (app: Awaited<ReturnType<typeof openApp>>, sessionId: string) =>
    (await app.api.messages.page({ sessionId, limit: 200 })).messages.filter((message) => message.isCompression);

  it('A01: 29k of overhead in a window of 32,768: one pass, then the breaker, not one pass per step, nor after a restart', async () => {
    const model = await withWindow(32_768);
    const tools = [heavyTool(27_600)];
    const app = await openApp({ model, tools });
    const state = talk(model, (call) => prose(`a${call}`, 900));
    model.fallback = counted(model.fallback);
    const sessionId = await app.newSession();
    await app.send(sessionId, prose('q1', 900));
    await app.untilIdle(sessionId);
    const left = stepsBefore(model, 5);
    await app.send(sessionId, prose('q2', 900));
    await app.untilIdle(sessionId);
    expect(left()).toBe(0);
    const { items } = await app.api.compression.list({ sessionId });
    expect(items).toHaveLength(1);
    expect((await app.api.debug.context({ sessionId })).breaker).not.toBeNull();
    const asked = state.summaryCalls.length;
    await app.close();
    const again = await openApp({ model, tools });
    await again.send(sessionId, 'Are you there?');
    await again.untilIdle(sessionId);
    expect(state.summaryCalls).toHaveLength(asked);
    expect(await cardsOf(again, sessionId)).toHaveLength(1);
  });

  it('A02: window 65,536, trigger at 33,536, floor of 43k: one attempt, told once, nothing more in 20 steps or on resuming', async () => {
    const model = await withWindow(65_536);
    const tools = [heavyTool(41_500)];
    const env = { NAVI_CONTEXT_COMPRESSION_THRESHOLD: '0.5117', NAVI_CONTEXT_COMPRESSION_TARGET: '0.4' };
    const app = await openApp({ model, tools, env });
    const state = talk(model, (call) => prose(`a${call}`, 900));
    model.fallback = counted(model.fallback);
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(6).messages);
    const left = stepsBefore(model, 20);
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    expect(left()).toBe(0);
    expect(state.summaryCalls).toHaveLength(1);
    expect(await cardsOf(app, sessionId)).toHaveLength(1);
    expect((await app.api.debug.context({ sessionId })).breaker).not.toBeNull();
    await app.close();
    const again = await openApp({ model, tools, env });
    await again.send(sessionId, 'And now?');
    await again.untilIdle(sessionId);
    expect(state.summaryCalls).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['inflates (A03)', answer(prose('inflated', 60_000))],
    ['says nothing (A09)', answer('')],
    ['finds no history (A09)', answer('No conversation history provided to compress.')],
    ['answers with a placeholder (A10)', answer('Summary unavailable due to context limits.')],
    ['refuses', answer("I'm sorry, but I cannot help with that.")],
    ['is cut by length', answer(prose('half a summary', 400), 'length')],
    ['only thinks', answer('<think>Let me see what was said here, one by one.</think>')],
    ['calls a tool', callTools({ name: 'memory_search', arguments: { query: 'x' } })],
    [
      'fails',
      () => {
        throw new Error('socket hang up');
      },
    ],
  ])('a summariser that %s: two attempts, one card, older turns out, the turn goes on, no loop', async (_, bad) => {
    const model = await withWindow(8192);
    const app = await openApp({ model });
    const state = talk(model, (call) => prose(`a${call}`, 900));
    state.summaries.push(...Array.from({ length: 12 }, () => bad));
    const sessionId = await app.newSession();
    await storeHistory(database, sessionId, talked(12).messages);
    for (const text of ['And then?', 'And then again?']) {
      await app.send(sessionId, text);
      await app.untilIdle(sessionId);
    }
    expect(state.summaryCalls).toHaveLength(2);
    const cards = await cardsOf(app, sessionId);
    expect(cards).toHaveLength(1);
    expect(cards[0]?.content).toMatch(/^Older messages left the context \(.+\): /);
    expect(state.calls).toHaveLength(2);
    const { items } = await app.api.memory.search({ sessionId, query: 'subject q1' });
    expect(items.some((item) => item.text.includes('subject q1'))).toBe(true);
    const { messages } = await app.api.messages.page({ sessionId, limit: 200 });
    expect(messages.flatMap((message) => message.metadata.error ?? [])).toEqual([]);
  });
});
