import { afterEach, describe, expect, it } from 'vitest';
import {
  createGate,
  finish,
  headers,
  noUsage,
  type Reply,
  text,
  thinking,
  toolCall,
  usage,
  words,
} from '../../e2e/fixtures/model-servers';
import { clockTool, collect, createRig, failureOf, type Rig, type Wire } from './testing/call-rig';
import { createHandClock } from './testing/hand-clock';

let rig: Rig;
afterEach(() => rig.close());

const wires: Wire[] = ['ollama', 'openai'];

describe.each(wires)('a call over the wire of %s', (wire) => {
  const start = async (...replies: Reply[]) => {
    rig = await createRig(wire, replies);
    return rig;
  };

  it('streams text and ends with the provider’s own counts', async () => {
    const { call } = await start([text('Hello '), text('world'), usage(123, 45)]);
    const { parts, error } = await collect(call());
    expect(error).toBeNull();
    expect(parts).toEqual([
      { type: 'text-delta', text: 'Hello ' },
      { type: 'text-delta', text: 'world' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 123, outputTokens: 45 } },
    ]);
  });

  it('gives each word out before the next one is sent', async () => {
    const second = createGate();
    const { call } = await start([text('first'), second.step, text(' second')]);
    const seen: string[] = [];
    for await (const part of call()) {
      if (part.type !== 'text-delta') continue;
      seen.push(part.text);
      second.open();
    }
    expect(seen).toEqual(['first', ' second']);
  });

  it('keeps thinking apart from text', async () => {
    const { call } = await start([thinking('Hm, '), thinking('yes.'), text('Done.')]);
    const { text: said, thinking: thought } = await collect(call({ think: true }));
    expect([thought, said]).toEqual(['Hm, yes.', 'Done.']);
  });

  it('finds thinking that is written as tags in the text, across chunk borders', async () => {
    const { call } = await start([text('<th'), text('ink>so '), text('so</thi'), text('nk>\n\n'), text('Answer < 3')]);
    const { text: said, thinking: thought } = await collect(call());
    expect([thought, said]).toEqual(['so so', 'Answer < 3']);
  });

  it('parses tool calls and says why the answer ended', async () => {
    const { call } = await start([
      text('Looking.'),
      toolCall('current_time', { zone: 'Europe/Kyiv', deep: { list: [1, 'two'] } }),
      toolCall('current_time', {}),
    ]);
    const { parts } = await collect(call({ tools: [clockTool] }));
    expect(parts.slice(1)).toEqual([
      {
        type: 'tool-call',
        id: expect.any(String),
        name: 'current_time',
        arguments: { zone: 'Europe/Kyiv', deep: { list: [1, 'two'] } },
        malformed: null,
      },
      { type: 'tool-call', id: expect.any(String), name: 'current_time', arguments: {}, malformed: null },
      expect.objectContaining({ type: 'finish', reason: 'tool-calls' }),
    ]);
  });

  it('hands on malformed arguments as the model wrote them', async () => {
    const { call } = await start([toolCall('current_time', '{"zone": "Europe/')]);
    const { parts, error } = await collect(call({ tools: [clockTool] }));
    expect(error).toBeNull();
    expect(parts[0]).toEqual({
      type: 'tool-call',
      id: expect.any(String),
      name: 'current_time',
      arguments: {},
      malformed: '{"zone": "Europe/',
    });
  });

  it('says that the answer was cut by its length', async () => {
    const { call } = await start([text('Once upon a'), finish('length')]);
    const { parts } = await collect(call());
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  });

  it('does not invent counts that the provider did not send', async () => {
    const { call } = await start([text('Hello'), noUsage()]);
    const { parts } = await collect(call());
    expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: null, outputTokens: null } });
  });

  it('carries every letter whole, however the bytes fall', async () => {
    const said = 'Łąka 问题 👩‍👩‍👧 „Привіт“';
    const { call } = await start(Array.from(said, (letter) => text(letter)));
    expect((await collect(call())).text).toBe(said);
  });

  it('calls an empty answer a failure, not an answer', async () => {
    const { call } = await start([finish('stop')]);
    const failure = await failureOf(call());
    expect([failure.code, failure.message]).toEqual(['provider-unavailable', expect.stringContaining('empty answer')]);
  });

  it('calls thinking alone an answer', async () => {
    const { call } = await start([thinking('Nothing to say.')]);
    const { error, thinking: thought } = await collect(call({ think: true }));
    expect([error, thought]).toEqual([null, 'Nothing to say.']);
  });

  it('ends at once on abort, with the reason, and closes the request', async () => {
    const never = createGate();
    const { call, server } = await start([text('Hello'), never.step, text(' never')]);
    const stop = new AbortController();
    const reason = new Error('stopped by the person');
    const seen: string[] = [];
    const reading = (async () => {
      for await (const part of call({ signal: stop.signal })) {
        if (part.type === 'text-delta') seen.push(part.text);
        stop.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen).toEqual(['Hello']);
    const request = await server.chat(0);
    await request.closed;
    expect(request.isAborted).toBe(true);
  });

  it('ends at once on abort while the model has not begun to answer', async () => {
    const never = createGate();
    const { call, server } = await start([never.step]);
    const stop = new AbortController();
    const reading = collect(call({ signal: stop.signal }));
    const request = await server.chat(0);
    stop.abort('enough');
    expect((await reading).error).toBe('enough');
    await request.closed;
    expect(request.isAborted).toBe(true);
  });

  it('makes no call when the signal is aborted already', async () => {
    const { call, server } = await start('never');
    expect((await collect(call({ signal: AbortSignal.abort('before') }))).error).toBe('before');
    expect(server.chats()).toHaveLength(0);
  });

  it('closes the request when the reader leaves early', async () => {
    const never = createGate();
    const { call, server } = await start([text('Hello'), never.step]);
    for await (const part of call()) if (part.type === 'text-delta') break;
    const request = await server.chat(0);
    await request.closed;
    expect(request.isAborted).toBe(true);
  });

  it('does not count the reader’s own pauses as silence of the model', async () => {
    const { call } = await start([...words('one two three four'), headers()]);
    const { clock, advance, sleepers } = createHandClock();
    const seen: string[] = [];
    for await (const part of call({}, { clock, idleTimeoutMs: 30 })) {
      if (part.type === 'text-delta') seen.push(part.text);
      // The whole answer is here while the reader still has its first part in hand: nobody watches any more.
      await expect.poll(() => sleepers.size).toBe(0);
      await advance(1_000);
    }
    expect(seen.join('')).toBe('one two three four');
  });

  it('reuses the connection for the next call', async () => {
    const { call, server } = await start('One.', 'Two.');
    expect((await collect(call())).text).toBe('One.');
    expect((await collect(call())).text).toBe('Two.');
    expect(server.chats().every((request) => !request.isAborted)).toBe(true);
  });
});
