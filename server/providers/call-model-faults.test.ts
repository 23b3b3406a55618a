import { afterEach, describe, expect, it } from 'vitest';
import {
  createGate,
  cut,
  die,
  garbage,
  headers,
  type Reply,
  raw,
  type Script,
  silence,
  status,
  streamError,
  text,
  toolCall,
} from '../../e2e/fixtures/model-servers';
import { systemClock } from '../lib/clock';
import { ask, clockTool, collect, createRig, failureOf, quickClock, type Rig, type Wire } from './testing/call-rig';
import { createHandClock } from './testing/hand-clock';
import { ModelCallError } from './types';

let rig: Rig;
afterEach(() => rig.close());

const wires: Wire[] = ['ollama', 'openai'];
const who = { ollama: 'Ollama', openai: 'The model endpoint' };
const retrying = { maxAttempts: 3, clock: quickClock };

/** The body of an error as each format writes it. */
const errorBody = (wire: Wire, message: string, code?: string) =>
  wire === 'ollama' ? { error: message } : { error: { message, type: 'invalid_request_error', code: code ?? null } };

describe.each(wires)('faults over the wire of %s', (wire) => {
  const start = async (script: Script, modelName?: string) => {
    rig = await createRig(wire, script, modelName);
    return rig;
  };
  const retriesOf = async (...replies: Reply[]) => {
    const { call, server } = await start(replies);
    const outcome = await collect(call({}, retrying));
    const retries = outcome.parts.filter((part) => part.type === 'retry');
    return { ...outcome, retries, calls: server.chats().length };
  };

  it.each([408, 429, 500, 502, 503, 504])('tries again after status %i and then answers', async (code) => {
    const { retries, text: said, calls, error } = await retriesOf([status(code)], 'It works.');
    expect(error).toBeNull();
    expect(said).toBe('It works.');
    expect(calls).toBe(2);
    expect(retries).toEqual([{ type: 'retry', attempt: 1, delayMs: 750, reason: expect.stringContaining(who[wire]) }]);
  });

  describe('asked with an image', () => {
    const picture = { type: 'file' as const, mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) };
    const withPicture = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Look' }, picture] }];
    const promptWithoutImages = async () => ask('Look, without');
    const input = { prompt: withPicture, promptWithoutImages };

    it.each([
      [400, 'Invalid content type. image_url is only supported by certain models.'],
      [400, 'qwen is not a multimodal model'],
      [400, 'At most 0 image(s) may be provided in one prompt.'],
      [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
      [404, 'No endpoints found that support image input'],
      [422, 'unknown variant `image_url`, expected `text`'],
      [400, 'Model does not support images. Please use a model that does.'],
      [400, 'messages[0].content must be a string'],
      [500, 'this model is missing data required for image input'],
    ])('by a model that takes none (%i %s), asks once more without and remembers it', async (code, words) => {
      const { call, server, model } = await start([[status(code, errorBody(wire, words))], 'I see nothing.']);
      const { parts, text: said, error } = await collect(call(input));
      expect(error).toBeNull();
      expect(said).toBe('I see nothing.');
      expect(parts.filter((part) => part.type === 'retry')).toEqual([]);
      expect(JSON.stringify(server.chats().at(-1)?.messages)).toContain('Look, without');
      expect(model.seesImages()).toBe(false);
    });

    it('that may be the reason for a refusal, says what to do, and asks no second time', async () => {
      const { call, server, model } = await start([[status(400, errorBody(wire, 'invalid image format'))]]);
      const sawBefore = model.seesImages();
      const error = await failureOf(call(input));
      expect(error).toMatchObject({ code: 'invalid-input', message: expect.stringContaining('remove it under Files') });
      expect(server.chats()).toHaveLength(1);
      expect(model.seesImages()).toBe(sawBefore);
    });
  });

  it('backs off further with each attempt and gives up after the last', async () => {
    const { retries, calls, error } = await retriesOf([status(503)]);
    expect(retries.map((retry) => retry.delayMs)).toEqual([750, 1500]);
    expect(calls).toBe(3);
    expect(error).toMatchObject({ code: 'provider-unavailable', message: expect.stringContaining('503') });
  });

  it('waits as long as Retry-After asks', async () => {
    const { retries, text: said } = await retriesOf([status(429, undefined, { 'retry-after': '7' })], 'Now.');
    expect(retries.map((retry) => retry.delayMs)).toEqual([7000]);
    expect(said).toBe('Now.');
  });

  it('does not wait for hours when Retry-After asks for hours', async () => {
    const { retries, calls, error } = await retriesOf([status(429, undefined, { 'retry-after': '7200' })]);
    expect([retries.length, calls]).toEqual([0, 1]);
    expect(error).toMatchObject({ code: 'rate-limited', message: expect.stringContaining('rate limited') });
  });

  it('stops waiting for a retry when the signal aborts', async () => {
    const { call, server } = await start([[status(503)]]);
    const stop = new AbortController();
    const hours = {
      now: () => new Date(),
      sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(3_600_000, signal),
    };
    let error: unknown;
    try {
      for await (const part of call({ signal: stop.signal }, { maxAttempts: 3, clock: hours })) {
        if (part.type === 'retry') stop.abort('enough');
      }
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBe('enough');
    expect(server.chats()).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 422])('does not repeat what status %i refused', async (code) => {
    const { calls, error } = await retriesOf([status(code)]);
    expect(calls).toBe(1);
    expect(error).toBeInstanceOf(ModelCallError);
  });

  it('says that the endpoint cannot be reached, where it is, and what to do', async () => {
    const { call, server } = await start(['never']);
    await server.refuse();
    const { parts, error } = await collect(call({}, retrying));
    expect(parts.map((part) => part.type)).toEqual(['retry', 'retry']);
    expect(error).toMatchObject({
      code: 'provider-unavailable',
      message: `${who[wire]} at ${server.origin} cannot be reached. Is it running?`,
    });
  });

  it('answers once the endpoint is back', async () => {
    const { call, server } = await start(['Back again.']);
    await server.refuse();
    const seen: string[] = [];
    for await (const part of call({}, retrying)) {
      if (part.type === 'retry') await server.accept();
      if (part.type === 'text-delta') seen.push(part.text);
    }
    expect(seen.join('')).toBe('Back again.');
  });

  it('tries again when the connection dies before anything was said', async () => {
    const { retries, text: said } = await retriesOf([headers(), die()], [die()], 'Third time lucky.');
    expect(retries).toHaveLength(2);
    expect(said).toBe('Third time lucky.');
  });

  it.each([
    ['the connection dies', die()],
    ['the body ends without a finish', cut()],
    ['the provider reports an error', streamError('runner process has terminated')],
  ])('keeps what was said and does not repeat the call when %s in the middle', async (_name, fault) => {
    const { retries, calls, text: said, error } = await retriesOf([text('Half of '), text('an'), fault], 'never');
    expect(said).toBe('Half of an');
    expect([retries.length, calls]).toEqual([0, 1]);
    expect(error).toMatchObject({
      code: 'provider-unavailable',
      message: 'The model stopped in the middle of its answer.',
    });
  });

  it('says that the answer stopped when it ended before its first word', async () => {
    const { call } = await start([[text(''), cut()]]);
    const failure = await failureOf(call());
    expect(failure.message).toBe('The model stopped in the middle of its answer.');
  });

  it.each([
    ['a web page', garbage('<!doctype html><title>Router login</title>', 'text/html')],
    ['broken frames', garbage('data: {"oops\n\n{"half":\n')],
    ['another kind of JSON', garbage('data: {"hello":"world"}\n\n{"hello":"world"}\n')],
    ['nothing at all', garbage('')],
  ])('says in words that the answer cannot be read when it is %s', async (_name, reply) => {
    const { call } = await start([[reply]]);
    const failure = await failureOf(call());
    expect(failure.code).toBe('provider-unavailable');
    expect(failure.message).toMatch(/cannot read|stopped in the middle/);
    expect(failure.message).not.toMatch(/JSON|undefined|TypeError/);
  });

  it('keeps what was said before a frame that cannot be read', async () => {
    const { call } = await start([[text('So far so good'), raw('data: {{{\n\n')]]);
    const { text: said, error } = await collect(call());
    expect(said).toBe('So far so good');
    expect(error).toMatchObject({ message: 'The model stopped in the middle of its answer.' });
  });

  it('gives up when the model does not begin to answer', async () => {
    const { call, server } = await start([[silence()]]);
    const { clock, advance } = createHandClock();
    const reading = failureOf(call({}, { clock, firstByteTimeoutMs: 60, idleTimeoutMs: 10_000, maxAttempts: 3 }));
    const request = await server.chat(0);
    await advance(60);
    expect((await reading).message).toBe(`${who[wire]} did not begin to answer within 0.1 seconds.`);
    await request.closed;
    expect([request.isAborted, server.chats().length]).toEqual([true, 1]);
  });

  it('counts headers alone as no beginning', async () => {
    const { call } = await start([[headers(), silence()]]);
    const failure = await failureOf(call({}, { firstByteTimeoutMs: 60, idleTimeoutMs: 10_000 }));
    expect(failure.message).toContain('did not begin to answer');
  });

  it('gives up on silence in the middle, keeping what was said', async () => {
    const { call } = await start([[text('Well, '), silence()]]);
    const { text: said, error } = await collect(call({}, { firstByteTimeoutMs: 10_000, idleTimeoutMs: 60 }));
    expect(said).toBe('Well, ');
    expect(error).toMatchObject({ code: 'provider-unavailable', message: expect.stringContaining('fell silent') });
  });

  it('is more patient in the middle where a tool call comes only when it is complete', async () => {
    const written = createGate();
    const { call } = await start([[text('Writing. '), written.step, toolCall('current_time', {})]]);
    const { clock, advance } = createHandClock();
    const answer = call({ tools: [clockTool] }, { clock, firstByteTimeoutMs: 10_000, idleTimeoutMs: 400 });
    async function* silentAfterText() {
      for await (const part of answer) {
        yield part;
        if (part.type !== 'text-delta') continue;
        await advance(600);
        written.open();
      }
    }
    const { error, parts } = await collect(silentAfterText());
    const calls = parts.filter((part) => part.type === 'tool-call').length;
    expect([calls, error === null]).toEqual(wire === 'ollama' ? [1, true] : [0, false]);
  });

  it('lets a model think for longer than the idle time-out before its first byte', async () => {
    const thought = createGate();
    const { call, server } = await start([[thought.step, text('42')]]);
    const { clock, advance } = createHandClock();
    const reading = collect(call({}, { clock, firstByteTimeoutMs: 10_000, idleTimeoutMs: 40 }));
    await server.chat(0);
    await advance(9_000);
    thought.open();
    expect((await reading).text).toBe('42');
  });

  it('recognises a context that is too large, and does not repeat it', async () => {
    const message =
      wire === 'ollama'
        ? 'input length exceeds the context length'
        : "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.";
    const { calls, error } = await retriesOf([status(400, errorBody(wire, message, 'context_length_exceeded'))]);
    expect(calls).toBe(1);
    expect(error).toMatchObject({ code: 'context-overflow', message: expect.stringContaining('no longer fits') });
  });

  it('says which key was refused without showing it', async () => {
    const body = errorBody(wire, 'Incorrect API key provided: sk-abcdef1234567890. Bearer topsecretvalue');
    const { call } = await start([[status(401, body)]]);
    const failure = await failureOf(call());
    expect(failure.message).toContain('refused the key');
    expect(failure.details).toContain('[key]');
    expect(failure.details).not.toMatch(/abcdef1234567890|topsecretvalue/);
  });

  it('says how to get a model that is not there', async () => {
    const { call } = await start(['never'], 'missing');
    const failure = await failureOf(call());
    expect(failure.code).toBe('not-found');
    expect(failure.message).toContain(wire === 'ollama' ? 'Run `ollama pull missing`' : 'no model named `missing`');
  });

  it('tries again when the provider reports in the stream that it is overloaded', async () => {
    const { retries, text: said } = await retriesOf([streamError('The server is overloaded', 'overloaded')], 'Here.');
    expect(retries).toHaveLength(1);
    expect(said).toBe('Here.');
  });

  it('gives out a complete tool call even when the connection dies after it', async () => {
    const { call } = await start([[text('Looking.'), toolCall('current_time', {}), die()]]);
    const { text: said, error } = await collect(call({ tools: [clockTool] }));
    expect(said).toBe('Looking.');
    expect(error).toBeInstanceOf(ModelCallError);
  });

  it('keeps the details short', async () => {
    const { call } = await start([[status(400, errorBody(wire, 'x'.repeat(50_000)))]]);
    expect((await failureOf(call())).details?.length).toBeLessThanOrEqual(2000);
  });
});
