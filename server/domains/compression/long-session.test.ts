/** The real app, the real provider code, and an Ollama that cuts what is too long without a word. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OllamaServer, startOllamaServer, text } from '../../../e2e/fixtures/model-servers';
import { systemClock } from '../../lib/clock';
import { createCallModel } from '../../providers/call-model';
import { createModelRegistry } from '../../providers/registry';
import { createTestApp, type TestApp } from '../../testing/app';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { createScriptedModel } from '../../testing/scripted-model';
import type { Message } from '../messages/schema';
import { prose } from './testing/talk';

const WINDOW_TOKENS = 8192;
const TURNS = 200;

const factOf = (turn: number): string =>
  `The code of locker ${turn} is ${['amber', 'cobalt', 'jade', 'ruby'][turn % 4]}-${turn * 37}.`;

describe('a session of 200 turns in a window of 8,192 tokens', () => {
  let database: TestDatabase;
  let ollama: OllamaServer;
  let app: TestApp;
  let closeModels = () => {};

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    let answers = 0;
    ollama = await startOllamaServer((request) => {
      if (request.lastUserText.includes('<conversation>')) {
        const said = [...request.lastUserText.matchAll(/locker (\d+)/g)].map((match) => match[1]);
        return `- Goal: codes of lockers were told.\n- Done: noted lockers ${said.slice(0, 40).join(' ')}.\nKEYS: locker ${said[0] ?? ''}`;
      }
      answers += 1;
      // A few large pieces: how words stream is tested elsewhere, and two hundred answers of two hundred words take minutes.
      return (prose(`answer ${answers}`, 500 + (answers % 7) * 200).match(/.{1,400}/gs) ?? []).map(text);
    });
    const models = createModelRegistry({
      ollamaBaseUrl: ollama.baseUrl,
      openaiBaseUrl: null,
      openaiApiKey: null,
      ollamaNumCtx: WINDOW_TOKENS,
      openaiContextWindow: WINDOW_TOKENS,
      defaultModel: 'ollama/qwen3',
      clock: systemClock,
    });
    closeModels = () => models.close();
    const callModel = createCallModel({ clock: systemClock, firstByteTimeoutMs: 20_000, idleTimeoutMs: 20_000 });
    app = await createTestApp(database, { model: { ...createScriptedModel(), models, callModel } });
  });
  afterAll(async () => {
    await app.close();
    closeModels();
    await ollama.close();
    await database.close();
  });

  async function history(sessionId: string): Promise<Message[]> {
    const all: Message[] = [];
    for (let afterSeq = 0; ; ) {
      const page = await app.api.messages.page({ sessionId, limit: 200, afterSeq });
      all.push(...page.messages);
      if (page.nextAfterSeq === null) return all;
      afterSeq = page.nextAfterSeq;
    }
  }

  it('never sticks, never exceeds the window, compresses once per trigger, loses nothing', {
    timeout: 900_000,
  }, async () => {
    const sessionId = await app.newSession();
    const sent: string[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      const message = `${factOf(turn)} ${prose(turn, 400 + (turn % 5) * 300)}`;
      sent.push(message);
      await app.send(sessionId, message);
      await app.untilIdle(sessionId);
    }

    const all = await history(sessionId);
    const said = all.filter((message) => message.role === 'user').map((message) => message.content);
    expect(said).toEqual(sent);
    const answers = all.filter((message) => message.role === 'assistant');
    expect(answers).toHaveLength(TURNS);
    expect(answers.every((message) => message.metadata.error === undefined && message.content !== '')).toBe(true);

    const cut = ollama.chats().filter((request) => request.isTruncated);
    expect(cut).toEqual([]);

    // The one behind the last turn may still be at work.
    const list = async () => (await app.api.compression.list({ sessionId })).items;
    await expect.poll(async () => (await list()).filter((item) => item.status === 'running')).toEqual([]);
    const items = await list();
    expect(items.length).toBeGreaterThan(10);
    expect(items.filter((item) => item.status !== 'done')).toEqual([]);
    // Between two compressions somebody said something.
    const order = all.filter((message) => message.isCompression || message.role === 'user');
    order.forEach((message, at) => {
      if (message.isCompression) expect(order[at + 1]?.isCompression ?? false).toBe(false);
    });

    const context = await app.api.debug.context({ sessionId });
    expect(context.meter.tokens).toBeLessThan(context.meter.limitTokens);
    const inContext = context.messages.map((message) => message.text).join('\n');
    const missing: number[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      if (inContext.includes(factOf(turn))) continue;
      const found = await app.api.memory.search({ sessionId, query: `code of locker ${turn}` });
      if (!found.items.some((item) => item.text.includes(factOf(turn)))) missing.push(turn);
    }
    expect(missing).toEqual([]);
    expect(app.unexpected).toEqual([]);
  });
});
