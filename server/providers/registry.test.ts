import { afterEach, describe, expect, it } from 'vitest';
import { die, startOllamaServer, startOpenAiServer, text } from '../../e2e/fixtures/model-servers';
import { systemClock } from '../lib/clock';
import { createCallModel } from './call-model';
import { createModelRegistry, type ModelRegistrySettings } from './registry';
import { ask, failureOf } from './testing/call-rig';
import type { ModelRegistry, ResolvedModel } from './types';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A port on which nothing listens: one that was just given back. */
async function deadOrigin(): Promise<string> {
  const server = await startOllamaServer(['']);
  await server.close();
  return server.origin;
}

/** A clock that can be set forward; sleeping is real. */
function createMovableClock() {
  let offsetMs = 0;
  return {
    clock: { now: () => new Date(Date.now() + offsetMs), sleep: systemClock.sleep },
    forward: (ms: number) => {
      offsetMs += ms;
    },
  };
}

async function createRegistry(settings: Partial<ModelRegistrySettings> = {}): Promise<ModelRegistry> {
  const registry = createModelRegistry({
    ollamaBaseUrl: settings.ollamaBaseUrl ?? (await deadOrigin()),
    openaiBaseUrl: null,
    openaiApiKey: null,
    ollamaNumCtx: 8192,
    openaiContextWindow: 32_768,
    defaultModel: null,
    clock: systemClock,
    demoWordDelayMs: 0,
    // What a test asks for is what it gets, however long the machine takes: the limits have a test of their own.
    probe: { probeTimeoutMs: 30_000, graceMs: 30_000 },
    ...settings,
  });
  cleanUps.push(() => registry.close());
  return registry;
}

async function ollama(models?: Parameters<typeof startOllamaServer>[1]) {
  const server = await startOllamaServer([[text('Hello')]], models);
  cleanUps.push(() => server.close());
  return server;
}

async function openAi(options?: Parameters<typeof startOpenAiServer>[1]) {
  const server = await startOpenAiServer([[text('Hello')]], options);
  cleanUps.push(() => server.close());
  return server;
}

const call = (model: ResolvedModel) =>
  createCallModel({ clock: systemClock, firstByteTimeoutMs: 30_000, idleTimeoutMs: 30_000, maxAttempts: 1 })({
    model,
    windowTokens: 8192,
    prompt: ask('Hello'),
    tools: [],
    temperature: null,
    maxOutputTokens: null,
    think: false,
    signal: new AbortController().signal,
  });

describe('the connections', () => {
  it('are Ollama, which is looked for by itself, and the demo', async () => {
    const origin = await deadOrigin();
    const registry = await createRegistry({ ollamaBaseUrl: origin });
    expect(await registry.list()).toEqual([
      {
        id: 'ollama',
        kind: 'ollama',
        label: 'Ollama',
        state: 'unreachable',
        reason: `Ollama at ${origin} cannot be reached. Is it running?`,
        address: origin,
        models: [],
      },
      {
        id: 'demo',
        kind: 'demo',
        label: 'Demo',
        state: 'connected',
        reason: null,
        address: null,
        models: [{ id: 'demo/agent', name: 'agent', advertisedWindowTokens: null }],
      },
    ]);
  });

  it('list the models of each, without those that cannot chat', async () => {
    const local = await ollama({ models: [{ name: 'qwen3:8b' }, { name: 'nomic-embed-text:latest' }] });
    const remote = await openAi({
      models: [{ name: 'org/chat-1', maxModelLength: 40_000 }, { name: 'text-embedding-3-small' }],
    });
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, openaiBaseUrl: remote.baseUrl });
    const states = await registry.list();
    expect(states.map(({ id, state, models }) => [id, state, models.map((model) => model.id)])).toEqual([
      ['ollama', 'connected', ['ollama/qwen3:8b']],
      ['openai', 'connected', ['openai/org/chat-1']],
      ['demo', 'connected', ['demo/agent']],
    ]);
    expect(states[1]?.models[0]?.advertisedWindowTokens).toBe(40_000);
  });

  it('learn what Ollama’s models advertise without being asked', async () => {
    const local = await ollama({ models: [{ name: 'qwen3:8b', contextLength: 40_960 }] });
    const { clock, forward } = createMovableClock();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, clock });
    await registry.list();
    await expect
      .poll(async () => {
        forward(60_000);
        return (await registry.list())[0]?.models[0]?.advertisedWindowTokens;
      })
      .toBe(40_960);
  });

  it('are asked again while absent, but not at every request', async () => {
    const local = await ollama();
    await local.refuse();
    const { clock, forward } = createMovableClock();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, clock });
    expect((await registry.list())[0]?.state).toBe('unreachable');
    await local.accept();
    expect((await registry.list())[0]?.state).toBe('unreachable');
    forward(6000);
    expect((await registry.list())[0]?.state).toBe('connected');
  });

  it('are noticed when they go away', async () => {
    const local = await ollama();
    const { clock, forward } = createMovableClock();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, clock });
    expect((await registry.list())[0]?.state).toBe('connected');
    await local.refuse();
    forward(60_000);
    expect((await registry.list())[0]?.state).toBe('unreachable');
  });

  it('share one probe between requests that come together', async () => {
    const local = await ollama();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl });
    await Promise.all([registry.list(), registry.list(), registry.list()]);
    await registry.list();
    expect(local.requests.filter((request) => request.path === '/api/tags')).toHaveLength(1);
  });

  it('do not hold up a page when an endpoint hangs', async () => {
    let ended = 0;
    const fetch = ((_input: unknown, init?: RequestInit) =>
      new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => {
          ended += 1;
          reject(init.signal?.reason);
        }),
      )) as typeof globalThis.fetch;
    const { clock, forward } = createMovableClock();
    const registry = await createRegistry({ fetch, clock, probe: { probeTimeoutMs: 300, graceMs: 10 } });
    expect((await registry.list())[0]?.reason).toContain('did not answer in time');
    const endedBefore = ended;
    forward(60_000);
    expect((await registry.list())[0]?.state).toBe('unreachable');
    // The answer is that of before: the new look at the endpoint still hangs.
    expect(ended).toBe(endedBefore);
  });

  it('say that a key was refused, and never show it', async () => {
    const remote = await openAi({ apiKey: 'right-key' });
    const registry = await createRegistry({ openaiBaseUrl: remote.baseUrl, openaiApiKey: 'wrong-key' });
    const states = await registry.list();
    expect(states[1]).toMatchObject({ state: 'unreachable', reason: expect.stringContaining('refused the key') });
    expect(JSON.stringify(states)).not.toContain('wrong-key');
    const failure = await failureOf(call(await registry.resolve('openai/gpt-test')));
    expect(failure.message).toContain('OPENAI_API_KEY');
  });

  it('send the key to the endpoint it belongs to', async () => {
    const remote = await openAi({ apiKey: 'right-key' });
    const registry = await createRegistry({ openaiBaseUrl: remote.baseUrl, openaiApiKey: 'right-key' });
    expect((await registry.list())[1]?.state).toBe('connected');
    for await (const part of call(await registry.resolve('openai/gpt-test'))) expect(part.type).not.toBe('retry');
    expect(remote.chats()[0]?.headers.authorization).toBe('Bearer right-key');
  });

  it('say when something else answers at the address', async () => {
    const local = await ollama();
    const registry = await createRegistry({ openaiBaseUrl: local.origin });
    expect((await registry.list())[1]).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining('often /v1'),
    });
  });

  it('take an Ollama address with /v1 or a slash at its end', async () => {
    const local = await ollama();
    const registry = await createRegistry({ ollamaBaseUrl: `${local.baseUrl}/v1/` });
    expect((await registry.list())[0]).toMatchObject({ state: 'connected', address: local.origin });
  });
});

describe('resolving a model', () => {
  it('keeps slashes in the model’s own name', async () => {
    const registry = await createRegistry({ openaiBaseUrl: 'http://127.0.0.1:9/v1' });
    expect(await registry.resolve('openai/org/model-1')).toMatchObject({
      id: 'openai/org/model-1',
      name: 'org/model-1',
      connectionId: 'openai',
      isDemo: false,
    });
  });

  it.each(['openai/gpt-x', 'nowhere/model', 'demo', 'demo/', ''])(
    'refuses to choose %j; chosen when its connection was there, it stands in until it is called',
    async (modelId) => {
      const registry = await createRegistry();
      expect(() => registry.check(modelId)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
      const model = await registry.resolve(modelId);
      expect(model.windowTokens(null)).toBe(32_768);
      expect(await failureOf(call(model))).toMatchObject({
        code: 'not-found',
        message: expect.stringMatching(/Pick another model for this chat\.$/),
      });
    },
  );

  it('takes the window of the profile, else of the connection, capped by what the model advertises', async () => {
    const local = await ollama({
      models: [
        { name: 'small', contextLength: 4096 },
        { name: 'large', contextLength: 131_072 },
      ],
    });
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl });
    const small = await registry.resolve('ollama/small');
    const large = await registry.resolve('ollama/large');
    expect([small.windowTokens(null), small.windowTokens(2048), small.windowTokens(100_000)]).toEqual([
      4096, 2048, 4096,
    ]);
    expect([large.windowTokens(null), large.windowTokens(100_000), large.windowTokens(200_000)]).toEqual([
      8192, 100_000, 131_072,
    ]);
  });

  it('asks what a model advertises only once', async () => {
    const local = await ollama();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl });
    await registry.resolve('ollama/qwen3');
    await registry.resolve('ollama/qwen3');
    const shows = local.requests.filter((request) => request.path === '/api/show' && request.body.model === 'qwen3');
    expect(shows).toHaveLength(1);
  });

  it('falls back to the connection’s window when the endpoint says nothing', async () => {
    const registry = await createRegistry({ openaiBaseUrl: 'http://127.0.0.1:9/v1' });
    expect((await registry.resolve('openai/x')).windowTokens(null)).toBe(32_768);
    expect((await registry.resolve('ollama/x')).windowTokens(null)).toBe(8192);
  });
});

describe('the default model', () => {
  it('is the demo when nothing else is there', async () => {
    const registry = await createRegistry();
    expect(await registry.defaultModel()).toMatchObject({ id: 'demo/agent', isDemo: true, kind: 'demo' });
  });

  it('is the first model of a connection that answers', async () => {
    const remote = await openAi({ models: [{ name: 'first' }, { name: 'second' }] });
    const registry = await createRegistry({ openaiBaseUrl: remote.baseUrl });
    expect((await registry.defaultModel()).id).toBe('openai/first');
  });

  it('is not taken from an Ollama without models', async () => {
    const local = await ollama({ models: [] });
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl });
    expect((await registry.defaultModel()).id).toBe('demo/agent');
  });

  it.each([
    ['Ollama, when its address is set', true],
    ['an OpenAI-compatible endpoint', false],
  ])('never is the demo in the place of what was set up: %s', async (_name, isOllama) => {
    const server = isOllama ? await ollama({ models: [{ name: 'qwen3' }] }) : await openAi();
    await server.refuse();
    const registry = await createRegistry(
      isOllama
        ? { ollamaBaseUrl: server.baseUrl, isOllamaConfigured: true }
        : { openaiBaseUrl: server.baseUrl, probe: { graceMs: 30_000, absentForMs: 3_600_000 } },
    );
    const model = await registry.defaultModel();
    expect(model).toMatchObject({
      isDemo: false,
      waitsFor: expect.stringMatching(/cannot be reached\. Is it running\?$/),
    });
    const failure = await failureOf(call(model));
    expect(failure).toMatchObject({ code: 'provider-unavailable', message: model.waitsFor });
    // The same call is answered once the endpoint is there, and the next one knows its model.
    await server.accept();
    const parts = [];
    for await (const part of call(model)) parts.push(part);
    expect(parts).toContainEqual({ type: 'text-delta', text: 'Hello' });
    expect(await registry.defaultModel()).toMatchObject({ waitsFor: null, kind: isOllama ? 'ollama' : 'openai' });
  });

  it('asks again at once, however lately what is expected was away', async () => {
    const local = await ollama();
    await local.refuse();
    const probe = { probeTimeoutMs: 30_000, graceMs: 30_000, absentForMs: 3_600_000 };
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, isOllamaConfigured: true, probe });
    expect((await registry.defaultModel()).waitsFor).not.toBeNull();
    await local.accept();
    expect((await registry.defaultModel()).waitsFor).toBeNull();
  });

  it('stays with an Ollama that was found by itself and then went away', async () => {
    const local = await ollama({ models: [{ name: 'qwen3' }] });
    const { clock, forward } = createMovableClock();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, clock });
    expect((await registry.defaultModel()).id).toBe('ollama/qwen3');
    await local.refuse();
    forward(60_000);
    expect(await registry.defaultModel()).toMatchObject({ isDemo: false, connectionId: 'ollama' });
  });

  it('is not the demo while something at Ollama’s port takes too long to answer', async () => {
    const fetch = ((_input: unknown, init?: RequestInit) =>
      new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      )) as typeof globalThis.fetch;
    const registry = await createRegistry({ fetch, probe: { probeTimeoutMs: 50, graceMs: 10 } });
    expect(await registry.defaultModel()).toMatchObject({
      isDemo: false,
      waitsFor: expect.stringContaining('did not answer in time'),
    });
  });

  it('finds an Ollama that answered while this process stood still for longer than the time-out', async () => {
    const local = await ollama({ models: [{ name: 'qwen3' }] });
    const registry = await createRegistry({
      ollamaBaseUrl: local.baseUrl,
      probe: { probeTimeoutMs: 1_000, graceMs: 30_000 },
    });
    // What a start does: databases are opened and code is compiled, and nothing else is looked at meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + 1_500;
    while (performance.now() < until);
    expect((await registry.list())[0]).toMatchObject({ state: 'connected', reason: null });
  });

  it('says what to do when what was set up has no model yet', async () => {
    const local = await ollama({ models: [] });
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, isOllamaConfigured: true });
    expect((await registry.defaultModel()).waitsFor).toMatch(/has no models yet\. Pull one/);
  });

  it('is what NAVI_MODEL says, even when it is not there: the call explains', async () => {
    const local = await ollama();
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl, defaultModel: 'ollama/missing' });
    const model = await registry.defaultModel();
    expect(model.id).toBe('ollama/missing');
    expect((await failureOf(call(model))).message).toBe(
      'The model `missing` is not installed. Run `ollama pull missing`.',
    );
  });

  it('explains a NAVI_MODEL whose connection is unknown when it is called', async () => {
    const registry = await createRegistry({ defaultModel: 'openai/gpt-x' });
    const failure = await failureOf(call(await registry.defaultModel()));
    expect(failure.code).toBe('not-found');
    expect(failure.message).toMatch(/OPENAI_BASE_URL[\s\S]*NAVI_MODEL/);
  });

  it('recovers from an endpoint that dies while it is asked', async () => {
    const local = await startOllamaServer([[die()]]);
    cleanUps.push(() => local.close());
    const registry = await createRegistry({ ollamaBaseUrl: local.baseUrl });
    const model = await registry.defaultModel();
    expect((await failureOf(call(model))).message).toContain('Ollama');
  });
});
