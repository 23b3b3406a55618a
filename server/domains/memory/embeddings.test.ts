/** Vectors over the wire: the real registry and provider code against servers that speak both formats, and every way to fail. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type EmbedScript, startOllamaServer, startOpenAiServer } from '../../../e2e/fixtures/model-servers';
import { systemClock } from '../../lib/clock';
import { createModelRegistry } from '../../providers/registry';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { createScriptedModel } from '../../testing/scripted-model';
import { history } from '../compression/engine/testing/histories';
import { storeHistory } from '../compression/testing/store-history';
import { prose, talk } from '../compression/testing/talk';

const SECRET = 'The spare key of the boathouse hangs behind the third lantern.';
/** Says nothing of keys or lanterns in any of its words. */
const QUESTION = 'How do we unlock it?';

/** Texts about doors point one way, others another; `dimensions` long. */
const meaning =
  (dimensions: number): EmbedScript =>
  (texts) =>
    texts.map((text) => {
      const about = /key|unlock|door/i.test(text) ? 0 : 1 + (text.length % (dimensions - 1));
      return Array.from({ length: dimensions }, (_, at) => (at === about ? 3 : 0.1));
    });

describeEachEngine('embeddings', (getDatabase) => {
  let ollama: Awaited<ReturnType<typeof startOllamaServer>>;
  let openAi: Awaited<ReturnType<typeof startOpenAiServer>>;
  const closers: (() => Promise<unknown> | unknown)[] = [];
  beforeAll(async () => {
    ollama = await startOllamaServer(['Yes.'], { models: [{ name: 'qwen3' }, { name: 'nomic-embed-text' }] });
    openAi = await startOpenAiServer(['Yes.'], { models: [{ name: 'gpt-test' }, { name: 'text-embedding-3-small' }] });
  });
  afterAll(async () => {
    await ollama.close();
    await openAi.close();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    ollama.setEmbed(null);
    openAi.setEmbed(null);
    await getDatabase().pool.query('TRUNCATE sessions CASCADE');
  });

  async function open(which: 'ollama' | 'openai'): Promise<TestApp> {
    const models = createModelRegistry({
      ollamaBaseUrl: which === 'ollama' ? ollama.baseUrl : 'http://127.0.0.1:1',
      openaiBaseUrl: which === 'openai' ? openAi.baseUrl : null,
      openaiApiKey: null,
      ollamaNumCtx: 8192,
      openaiContextWindow: 8192,
      defaultModel: null,
      clock: systemClock,
    });
    closers.push(() => models.close());
    const scripted = createScriptedModel();
    scripted.models = { ...scripted.models, embedder: () => models.embedder() };
    const app = await createTestApp(getDatabase(), { model: scripted });
    closers.push(() => app.close());
    return app;
  }
  async function compressed(app: TestApp): Promise<string> {
    talk(app.model, (call) => prose(`a${call}`, 300));
    const sessionId = await app.newSession();
    const built = history();
    for (let turn = 1; turn <= 40; turn++) {
      built.user(turn === 3 ? SECRET : prose(`q${turn}`, 500 + 7 * turn)).assistant(prose(`a${turn}`, 500 + 5 * turn));
    }
    await storeHistory(getDatabase(), sessionId, built.messages);
    const result = await app.api.compression.run({ sessionId });
    expect(result).toMatchObject({ kind: 'compression', compression: { status: 'done' } });
    return sessionId;
  }
  const embed = (app: TestApp) => app.services.memory.embedPending(AbortSignal.timeout(20_000));
  const finds = async (app: TestApp, sessionId: string) =>
    (await app.api.memory.search({ sessionId, query: QUESTION })).items.some((item) => item.text.includes(SECRET));
  const vectorsOf = async (sessionId: string) => {
    const { rows } = await getDatabase().pool.query<{ model: string; dimensions: number; vectors: number }>(
      `SELECT model, length(sketch) AS dimensions, count(vector)::int AS vectors FROM memory_embeddings
       WHERE session_id = $1 GROUP BY model, length(sketch) ORDER BY 2`,
      [sessionId],
    );
    return rows;
  };

  it.each([
    ['ollama', 'ollama/nomic-embed-text'],
    ['openai', 'openai/text-embedding-3-small'],
  ] as const)('chunks get vectors from %s, and meaning finds what words do not', async (which, model) => {
    (which === 'ollama' ? ollama : openAi).setEmbed(meaning(64));
    const app = await open(which);
    const sessionId = await compressed(app);
    expect(await finds(app, sessionId)).toBe(false);
    const embedded = await embed(app);
    expect(embedded).toBeGreaterThan(20);
    expect(await vectorsOf(sessionId)).toEqual([{ model, dimensions: 64, vectors: embedded }]);
    expect(await embed(app)).toBe(0);
    expect(await finds(app, sessionId)).toBe(true);
    const fork = await app.api.sessions.fork({ sessionId });
    expect(await finds(app, fork.id)).toBe(true);
  });

  it('a model that was replaced under its name by one with longer vectors is used anew for every chunk', async () => {
    ollama.setEmbed(meaning(64));
    const app = await open('ollama');
    const sessionId = await compressed(app);
    const all = await embed(app);
    ollama.setEmbed(meaning(96));
    // Vectors of two lengths never meet: words alone decide.
    expect(await finds(app, sessionId)).toBe(false);
    expect(await embed(app)).toBe(all);
    expect(await vectorsOf(sessionId)).toEqual([{ model: 'ollama/nomic-embed-text', dimensions: 96, vectors: all }]);
    expect(await finds(app, sessionId)).toBe(true);
  });

  it('another model makes its own vectors of every chunk', async () => {
    ollama.setEmbed(meaning(64));
    const first = await open('ollama');
    const sessionId = await compressed(first);
    const all = await embed(first);
    openAi.setEmbed(meaning(32));
    const second = await open('openai');
    expect(await finds(second, sessionId)).toBe(false);
    expect(await embed(second)).toBe(all);
    expect(await vectorsOf(sessionId)).toMatchObject([{ model: 'openai/text-embedding-3-small', dimensions: 32 }]);
    expect(await finds(second, sessionId)).toBe(true);
  });

  it('an endpoint that dies costs neither a search nor what it has embedded, and is asked again by the next pass', async () => {
    ollama.setEmbed(meaning(64));
    const app = await open('ollama');
    const sessionId = await compressed(app);
    let calls = 0;
    ollama.setEmbed((texts, model) => {
      calls += 1;
      return calls > 1
        ? { status: 500, body: { error: 'llama runner process has terminated' } }
        : meaning(64)(texts, model);
    });
    const some = await embed(app);
    expect(some).toBe(32);
    const { items } = await app.api.memory.search({ sessionId, query: 'subject q2' });
    expect(items.length).toBeGreaterThan(0);
    const asked = calls;
    await app.api.memory.search({ sessionId, query: 'subject q4' });
    expect(calls).toBe(asked);
    ollama.setEmbed(meaning(64));
    expect(await embed(app)).toBeGreaterThan(0);
    expect(await embed(app)).toBe(0);
    expect(app.unexpected).toEqual([]);
  });

  it.each<[string, EmbedScript]>([
    ['no JSON', () => ({ status: 200, body: '<html>Bad gateway</html>' })],
    ['nulls for numbers', (texts) => ({ status: 200, body: { embeddings: texts.map(() => [null, null]) } })],
    ['too few vectors', (texts) => texts.slice(1).map(() => [1, 0])],
    ['vectors of different lengths', (texts) => texts.map((_, at) => (at === 0 ? [] : [1, 0]))],
    ['empty vectors', (texts) => texts.map(() => [])],
    ['zeros', (texts) => texts.map(() => [0, 0, 0])],
  ])('garbage is no answer (%s): nothing is stored, words find what they find', async (_, script) => {
    ollama.setEmbed(script);
    const app = await open('ollama');
    const sessionId = await compressed(app);
    await embed(app);
    expect(await vectorsOf(sessionId)).toEqual([]);
    const { items } = await app.api.memory.search({ sessionId, query: 'boathouse key' });
    expect(items[0]?.text).toContain(SECRET);
    expect(app.unexpected).toEqual([]);
  });

  it('a text that the model refuses holds up no other, and is not asked again', async () => {
    ollama.setEmbed((texts, model) =>
      texts.some((text) => text.includes('q30,'))
        ? { status: 400, body: { error: 'the input length exceeds the context length' } }
        : meaning(64)(texts, model),
    );
    const app = await open('ollama');
    const sessionId = await compressed(app);
    await embed(app);
    const rows = await vectorsOf(sessionId);
    expect(rows.find((row) => row.dimensions === 0)).toMatchObject({ vectors: 0 });
    expect(rows.find((row) => row.dimensions === 64)?.vectors).toBeGreaterThan(20);
    expect(await embed(app)).toBe(0);
    expect(await finds(app, sessionId)).toBe(true);
  });
});
