import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  cut,
  die,
  garbage,
  headers,
  raw,
  type Script,
  silence,
  startOllamaServer,
  startOpenAiServer,
  status,
  streamError,
  text,
  toolCall,
} from '../../../e2e/fixtures/model-servers';
import { systemClock } from '../../lib/clock';
import { createCallModel } from '../../providers/call-model';
import { createModelRegistry } from '../../providers/registry';
import { quickClock } from '../../providers/testing/call-rig';
import type { CallModel } from '../../providers/types';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { createScriptedModel } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { transcript, useApps } from '../../testing/use-apps';

/** Limits that no answer meets, however slow the machine. */
const patient = { firstByteTimeoutMs: 120_000, idleTimeoutMs: 120_000 };

/** The real registry and the real calls against servers that speak the real wire formats: only the endpoint is scripted. */
describe.each(['ollama', 'openai'] as const)('a model that fails (%s)', (wire) => {
  let database: TestDatabase;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.close());
  const openApp = useApps(() => database);
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function open(script: Script, brief: Partial<typeof patient> = {}) {
    const server = wire === 'ollama' ? await startOllamaServer(script) : await startOpenAiServer(script);
    const models = createModelRegistry({
      ollamaBaseUrl: wire === 'ollama' ? server.origin : 'http://127.0.0.1:9',
      openaiBaseUrl: wire === 'openai' ? `${server.origin}/v1` : null,
      openaiApiKey: null,
      ollamaNumCtx: 8192,
      openaiContextWindow: 32_768,
      defaultModel: wire === 'ollama' ? 'ollama/qwen3' : 'openai/gpt-test',
      clock: systemClock,
    });
    const limits = { ...patient, ...brief };
    const callModel: CallModel = (input) =>
      createCallModel({ clock: quickClock, ...limits, maxAttempts: 2, random: () => 0 })(input);
    const tools = [createTestTool('look', async () => ({ text: 'seen' }))];
    const app = await openApp({ model: { ...createScriptedModel(), callModel, models }, tools });
    closers.push(() => server.close());
    return { app, server, limits };
  }

  /** How a model fails, and what is left of it. A limit is short where the model is silent for ever: nothing races with it. */
  const failures: [string, Script, { code: string; kept?: string; brief?: Partial<typeof patient> }][] = [
    ['is unreachable', [[status(503)]], { code: 'provider-unavailable' }],
    ['is rate limited', [[status(429)]], { code: 'rate-limited' }],
    ['breaks with 500', [[status(500)]], { code: 'provider-unavailable' }],
    ['refuses the key', [[status(401)]], { code: 'provider-unavailable' }],
    ['answers garbage', [[garbage('<html>502</html>', 'text/html')]], { code: 'provider-unavailable' }],
    [
      'is silent before the first byte',
      [[silence()]],
      { code: 'provider-unavailable', brief: { firstByteTimeoutMs: 400 } },
    ],
    [
      'is silent after the headers',
      [[headers(), silence()]],
      { code: 'provider-unavailable', brief: { firstByteTimeoutMs: 400 } },
    ],
    [
      'falls silent in the middle',
      [[text('Half an '), silence()]],
      { code: 'provider-unavailable', kept: 'Half an ', brief: { idleTimeoutMs: 400 } },
    ],
    ['dies in the middle', [[text('Half an '), die()]], { code: 'provider-unavailable', kept: 'Half an ' }],
    ['ends without an end', [[text('Half an '), cut()]], { code: 'provider-unavailable', kept: 'Half an ' }],
    [
      'reports an error in the middle',
      [[text('Half an '), streamError('overloaded')]],
      { code: 'provider-unavailable', kept: 'Half an ' },
    ],
    [
      'breaks its own frames',
      [[text('Half an '), raw('{"oops\n\n'), die()]],
      { code: 'provider-unavailable', kept: 'Half an ' },
    ],
  ];

  it('is gone from the settings: the chat is read and managed as ever, and the card says what to do', async () => {
    const { app } = await open(['Here.']);
    const sessionId = await app.newSession();
    await app.send(sessionId, 'Are you there?');
    await app.untilIdle(sessionId);
    // As after a start without the connection under which the model was picked.
    await database.prisma.session.update({ where: { id: sessionId }, data: { model: 'gone/model-1' } });
    expect(await app.api.sessions.get({ sessionId })).toMatchObject({ model: 'gone/model-1' });
    expect(await app.api.sessions.rename({ sessionId, name: 'Kept' })).toMatchObject({ name: 'Kept' });
    expect((await app.api.sessions.export({ sessionId, format: 'markdown' })).content).toContain('Here.');
    expect(await app.api.sessions.fork({ sessionId })).toMatchObject({ model: 'gone/model-1' });
    await app.api.sessions.remove({ sessionId });
    expect(await app.api.sessions.restore({ sessionId })).toMatchObject({ id: sessionId });
    await app.send(sessionId, 'And now?');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.at(-1)?.metadata.error?.message).toMatch(/`gone\/model-1`.* Pick another model for this chat\.$/);
    await expect(app.api.sessions.setModel({ sessionId, model: 'gone/model-2' })).rejects.toMatchObject({
      cause: { code: 'invalid-input' },
    });
  });

  it.each(failures)('%s: a readable card, the message kept, and resume works', async (_name, script, expected) => {
    const { app, server, limits } = await open(script, expected.brief);
    const sessionId = await app.newSession();
    await app.send(sessionId, 'Are you there?');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    const card = messages.at(-1);
    expect(card?.metadata.error).toMatchObject({
      code: expected.code,
      message: expect.stringMatching(/^[^\n{}]{10,250}[.?]$/),
    });
    expect(JSON.stringify(card?.metadata.error)).not.toMatch(/\bat .*\.(ts|js):|node_modules|TypeError/);
    const kept = messages.slice(0, -1).map((message) => message.content);
    expect(kept).toEqual(['Are you there?', ...(expected.kept === undefined ? [] : [expected.kept])]);
    expect(await app.api.sessions.get({ sessionId })).toMatchObject({
      runState: 'idle',
      displayMessageCount: messages.length,
    });

    server.setScript(['I am here.']);
    Object.assign(limits, patient);
    const watcher = app.watch(sessionId);
    await watcher.until((event) => event.kind === 'snapshot');
    await app.api.runs.resume({ sessionId });
    await watcher.until((event) => event.kind === 'run-end');
    // The old card leaves the transcript, here and in every open tab; it stays stored.
    const hidden = watcher.events.map(({ event }) => event).find((event) => event.kind === 'message-updated');
    expect(hidden).toMatchObject({ sequenceNumbers: [card?.sequenceNumber], changes: { isDisplay: false } });
    expect((await transcript(app, sessionId)).map(([, content]) => content)).toEqual([...kept, 'I am here.']);
    expect(await app.api.sessions.get({ sessionId })).toMatchObject({
      displayMessageCount: kept.length + 1,
      preview: 'I am here.',
    });
    expect(await database.prisma.sessionMessage.count({ where: { sessionId } })).toBe(messages.length + 1);
    await watcher.stop();
  });

  it('is tried again after a passing failure, which the person sees, and the answer comes', async () => {
    const { app } = await open([[status(503)], 'Back again.']);
    const sessionId = await app.newSession();
    const watcher = app.watch(sessionId);
    await watcher.until((event) => event.kind === 'snapshot');
    await app.send(sessionId, 'Hi');
    await watcher.until((event) => event.kind === 'retrying');
    await watcher.until((event) => event.kind === 'run-end' && event.status === 'done');
    expect((await transcript(app, sessionId)).at(-1)).toEqual(['assistant', 'Back again.']);
    await watcher.stop();
  });

  it('calls tools over the wire, is answered, and its own counts are recorded', async () => {
    const { app, server } = await open([[text('Let me look. '), toolCall('look', { at: 'it' })], 'I have seen it.']);
    const sessionId = await app.newSession();
    await app.send(sessionId, 'Look');
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, content]) => content)).toEqual([
      'Look',
      'Let me look. ',
      'seen',
      'I have seen it.',
    ]);
    expect(JSON.stringify(server.chats()[1]?.messages)).toContain('seen');
    const [first, second] = server.chats();
    const { messages } = await app.api.messages.page({ sessionId });
    const end = messages.at(-1)?.metadata.turnEnd;
    expect(end).toMatchObject({ tokensIn: (first?.promptTokens ?? 0) + (second?.promptTokens ?? 0), toolCalls: 1 });
    const session = await app.api.sessions.get({ sessionId });
    expect(session).toMatchObject({ contextTokenSource: 'real', contextTokenCount: end?.contextTokens });
    expect(session.contextTokenCount).toBeGreaterThanOrEqual(second?.promptTokens ?? 0);
  });

  it('is told so when its call was malformed, and mends it', async () => {
    const script: Script =
      wire === 'openai' ? [[toolCall('look', '{"at": "it')], 'Sorry.'] : [[toolCall('lok', {})], 'Sorry.'];
    const { app, server } = await open(script);
    const sessionId = await app.newSession();
    await app.send(sessionId, 'Look');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages[2]).toMatchObject({ role: 'tool', metadata: { toolStatus: 'failed' } });
    expect(messages.at(-1)?.content).toBe('Sorry.');
    expect(server.chats()[1]?.messages.at(-1)?.role).toBe('tool');
  });
});
