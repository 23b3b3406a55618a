import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { afterEach, describe, expect, it } from 'vitest';
import { cut, type OllamaServer, raw, startOllamaServer, text, thinking } from '../../e2e/fixtures/model-servers';
import { createOllamaModel } from './ollama';
import { ask, clockTool, collect, createRig, failureOf, type Rig } from './testing/call-rig';

let rig: Rig | undefined;
let limited: OllamaServer | undefined;
afterEach(async () => {
  await rig?.close();
  await limited?.close();
  rig = undefined;
  limited = undefined;
});

const PNG = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

describe('what Ollama is sent', () => {
  const sent = async (input: Parameters<Rig['call']>[0]) => {
    rig = await createRig('ollama', [[text('Hello')]]);
    const outcome = await collect(rig.call(input));
    expect(outcome.error).toBeNull();
    return rig.server.chats()[0]?.body as Record<string, unknown> & { messages: Record<string, unknown>[] };
  };

  it('always carries the window as num_ctx', async () => {
    expect((await sent({ windowTokens: 12_345 })).options).toEqual({ num_ctx: 12_345 });
  });

  it('carries temperature and length where Ollama reads them', async () => {
    const body = await sent({ temperature: 0.2, maxOutputTokens: 64 });
    expect(body.options).toEqual({ num_ctx: 8192, temperature: 0.2, num_predict: 64 });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('max_output_tokens');
  });

  it.each([true, false])('says whether to think: %s', async (think) => {
    expect((await sent({ think })).think).toBe(think);
  });

  it('carries tools by their schema', async () => {
    expect((await sent({ tools: [clockTool] })).tools).toEqual([
      {
        type: 'function',
        function: { name: 'current_time', description: 'The time.', parameters: clockTool.inputSchema },
      },
    ]);
  });

  it('carries calls with arguments as objects and results with the name of their tool', async () => {
    const prompt: LanguageModelV3Prompt = [
      ...ask('What time is it?'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'current_time', input: { zone: 'UTC' } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'current_time', input: '{"zone": "broken' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'current_time', output: { type: 'text', value: '12:00' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 'current_time', output: { type: 'execution-denied' } },
        ],
      },
    ];
    const { messages } = await sent({ prompt, tools: [clockTool] });
    expect(messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'current_time', arguments: { zone: 'UTC' } } },
          { id: 'b', type: 'function', function: { name: 'current_time', arguments: { input: '{"zone": "broken' } } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', tool_name: 'current_time', content: '12:00' },
      { role: 'tool', tool_call_id: 'b', tool_name: 'current_time', content: 'The call was not allowed.' },
    ]);
  });

  it('carries images as bare base64, with text beside them', async () => {
    const { messages } = await sent({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: 'image/png', data: PNG },
            {
              type: 'file',
              mediaType: 'image/png',
              data: `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`,
            },
          ],
        },
      ],
    });
    const base64 = Buffer.from(PNG).toString('base64');
    expect(messages).toEqual([{ role: 'user', content: ' ', images: [base64, base64] }]);
  });

  it('is byte-stable at its head from call to call, so that the prefix cache holds', async () => {
    rig = await createRig('ollama', [[text('Hello')]]);
    await collect(rig.call());
    await collect(rig.call());
    const [first, second] = rig.server.chats();
    expect(JSON.stringify(first?.body)).toBe(JSON.stringify(second?.body));
  });
});

describe('what Ollama’s models cannot do', () => {
  const startLimited = async (capabilities: string[]) => {
    const server = await startOllamaServer([[thinking('hm'), text('Hello')]], {
      models: [{ name: 'plain', capabilities }],
    });
    limited = server;
    return server;
  };
  const callOptions = { prompt: ask('Hi'), tools: [clockTool], providerOptions: { ollama: { think: true } } };

  it('is left out when it is known', async () => {
    const server = await startLimited(['completion']);
    const model = createOllamaModel({
      baseUrl: server.origin,
      name: 'plain',
      fetch,
      capabilities: () => ['completion'],
    });
    await (await model.doStream(callOptions)).stream.cancel();
    expect(server.chats().map(({ body }) => [body.think, body.tools])).toEqual([[false, undefined]]);
  });

  it('is learnt from a refusal and left out from then on', async () => {
    const server = await startLimited(['completion']);
    const model = createOllamaModel({ baseUrl: server.origin, name: 'plain', fetch, capabilities: () => null });
    await (await model.doStream(callOptions)).stream.cancel();
    await (await model.doStream(callOptions)).stream.cancel();
    expect(server.chats().map(({ body }) => [body.think, body.tools !== undefined])).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });
});

describe('what Ollama answers', () => {
  it('reports only what it evaluated of a prompt that is too long', async () => {
    rig = await createRig('ollama', [[text('Hello')]]);
    const { parts } = await collect(rig.call({ windowTokens: 1000, prompt: ask('word '.repeat(4000)) }));
    expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: 500 } });
    expect(rig.server.chats()[0]).toMatchObject({ isTruncated: true, promptTokens: 500 });
  });

  it('is understood from servers that leave fields out', async () => {
    rig = await createRig('ollama', [
      [
        raw('{"message":{"content":"Hel"}}\n{"message":{"content":"lo"},"done":false}\n'),
        raw('{"done":true,"done_reason":"stop","prompt_eval_count":7}\n'),
        cut(),
      ],
    ]);
    const { text: said, parts } = await collect(rig.call());
    expect(said).toBe('Hello');
    expect(parts.at(-1)).toMatchObject({ reason: 'stop', usage: { inputTokens: 7, outputTokens: null } });
  });

  it('is understood when a line is cut into many pieces', async () => {
    const line =
      '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Привіт"},"done":false}\n';
    rig = await createRig('ollama', [[...Array.from(line, (character) => raw(character)), text('!')]]);
    expect((await collect(rig.call())).text).toBe('Привіт!');
  });

  it('may be a tool call that Ollama itself could not read: the model tries again', async () => {
    rig = await createRig('ollama', [
      [raw('{"error":"error parsing tool call: raw=\'{\\"a\\": \', err=unexpected end of JSON input"}\n')],
      [text('Sorry.')],
    ]);
    const { parts, text: said } = await collect(
      rig.call({}, { maxAttempts: 2, clock: { now: () => new Date(), sleep: noWait } }),
    );
    expect(parts[0]).toMatchObject({ type: 'retry', reason: expect.stringContaining('could not read') });
    expect(said).toBe('Sorry.');
  });

  it('refuses an image that is a web address, in words', async () => {
    rig = await createRig('ollama', [[text('Hello')]]);
    const failure = await failureOf(
      rig.call({
        prompt: [
          {
            role: 'user',
            content: [{ type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') }],
          },
        ],
      }),
    );
    expect([failure.code, failure.message]).toEqual([
      'invalid-input',
      expect.stringMatching(/^Ollama takes images as files, not as web addresses\./),
    ]);
  });
});

/** Long sleeps (time-outs) last, short ones (back-off) do not. */
function noWait(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms < 5000) return Promise.resolve();
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}
