import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { afterEach, describe, expect, it } from 'vitest';
import { raw, startOpenAiServer, text, thinking } from '../../e2e/fixtures/model-servers';
import { createModelFetch } from './fetch';
import { createOpenAiModel } from './openai-compatible';
import { ask, clockTool, collect, createRig, type Rig } from './testing/call-rig';

let rig: Rig;
afterEach(() => rig.close());

const chunk = (delta: unknown, reason: string | null = null) =>
  raw(`data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`);

describe('what an OpenAI-compatible endpoint is sent', () => {
  it('asks for usage, and carries temperature, length and tools', async () => {
    rig = await createRig('openai', [[text('Hello')]]);
    await collect(rig.call({ temperature: 0.2, maxOutputTokens: 64, tools: [clockTool], think: true }));
    expect(rig.server.chats()[0]?.body).toMatchObject({
      model: 'gpt-test',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 64,
      tool_choice: 'auto',
      tools: [{ type: 'function', function: { name: 'current_time', parameters: clockTool.inputSchema } }],
    });
    expect(JSON.stringify(rig.server.chats()[0]?.body)).not.toContain('num_ctx');
  });

  it('carries calls and results in the pairs that belong together', async () => {
    rig = await createRig('openai', [[text('Hello')]]);
    const prompt: LanguageModelV3Prompt = [
      ...ask('What time is it?'),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'current_time', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'current_time', output: { type: 'text', value: '12:00' } },
        ],
      },
    ];
    await collect(rig.call({ prompt, tools: [clockTool] }));
    expect(rig.server.chats()[0]?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'current_time', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '12:00' },
    ]);
  });

  it('names the length as OpenAI’s own models want it', async () => {
    const server = await startOpenAiServer([[text('Hello')]]);
    const bodies: Record<string, unknown>[] = [];
    const { fetch, close } = createModelFetch();
    const redirected = ((input: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)));
      return fetch(input.replace('https://api.openai.com', server.origin), { ...init });
    }) as typeof globalThis.fetch;
    for (const name of ['gpt-4.1', 'o4-mini']) {
      const model = createOpenAiModel({ baseUrl: 'https://api.openai.com/v1', apiKey: 'k', name, fetch: redirected });
      const result = model.doStream({ prompt: ask('Hi'), temperature: 0.3, maxOutputTokens: 10 });
      await Promise.resolve(result).catch(() => undefined);
    }
    close();
    await server.close();
    rig = await createRig('openai', ['']);
    expect(bodies.map((body) => [body.max_tokens, body.max_completion_tokens, body.temperature])).toEqual([
      [undefined, 10, 0.3],
      [undefined, 10, undefined],
    ]);
  });
});

describe('what an OpenAI-compatible endpoint answers', () => {
  it('is understood with reasoning under either name', async () => {
    const server = await startOpenAiServer([[thinking('hm'), text('Yes')]], { reasoningField: 'reasoning' });
    rig = await createRig('openai', [[thinking('hm'), text('Yes')]]);
    const other = {
      ...rig.model,
      language: createOpenAiModel({ baseUrl: server.baseUrl, apiKey: null, name: 'gpt-test', fetch }),
    };
    const outcomes = [await collect(rig.call()), await collect(rig.call({ model: other }))];
    await server.close();
    expect(outcomes.map(({ thinking: thought, text: said }) => [thought, said])).toEqual([
      ['hm', 'Yes'],
      ['hm', 'Yes'],
    ]);
  });

  it('is understood when calls come interleaved, without names in later pieces, and with comments between', async () => {
    rig = await createRig('openai', [
      [
        raw(': keep-alive\n\n'),
        chunk({ role: 'assistant', content: null }),
        chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'two', arguments: '{"x"' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"y":' } }] }),
        chunk({ tool_calls: [{ index: 1, function: { arguments: ':1}' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '2}' } }] }),
        chunk({}, 'tool_calls'),
      ],
    ]);
    const { parts } = await collect(rig.call({ tools: [clockTool] }));
    expect(parts.filter((part) => part.type === 'tool-call')).toEqual([
      { type: 'tool-call', id: 'a', name: 'one', arguments: { y: 2 }, malformed: null },
      { type: 'tool-call', id: 'b', name: 'two', arguments: { x: 1 }, malformed: null },
    ]);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it('may say "stop" after a tool call, as some servers do: the calls count', async () => {
    rig = await createRig('openai', [
      [chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }] }), chunk({}, 'stop')],
    ]);
    const { parts } = await collect(rig.call({ tools: [clockTool] }));
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });
});
