import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/clock';
import { createCallModel } from '../call-model';
import { createModelRegistry } from '../registry';
import { collect } from '../testing/call-rig';
import { ModelCallError, type ModelPart } from '../types';

const ALL_TOOLS = [
  'current_time',
  'scratchpad',
  'list_files',
  'read_file',
  'write_file',
  'search_files',
  'web_fetch',
  'run_command',
];

const toolNamed = (name: string): LanguageModelV3FunctionTool => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', properties: {} },
});

const registry = createModelRegistry({
  ollamaBaseUrl: 'http://127.0.0.1:9',
  openaiBaseUrl: null,
  openaiApiKey: null,
  ollamaNumCtx: 8192,
  openaiContextWindow: 8192,
  defaultModel: null,
  clock: systemClock,
  demoWordDelayMs: 0,
});
const callModel = createCallModel({
  clock: systemClock,
  firstByteTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  maxAttempts: 1,
});

interface CallSettings {
  tools?: string[];
  think?: boolean;
  windowTokens?: number;
  maxOutputTokens?: number | null;
  signal?: AbortSignal;
}

const call = async (prompt: LanguageModelV3Prompt, settings: CallSettings = {}) =>
  collect(
    callModel({
      model: await registry.resolve('demo/agent'),
      windowTokens: settings.windowTokens ?? 100_000,
      prompt,
      tools: (settings.tools ?? ALL_TOOLS).map(toolNamed),
      temperature: null,
      maxOutputTokens: settings.maxOutputTokens ?? null,
      think: settings.think ?? true,
      signal: settings.signal ?? new AbortController().signal,
    }),
  );

const user = (text: string): LanguageModelV3Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] });

type ToolCall = Extract<ModelPart, { type: 'tool-call' }>;

/** Runs a whole turn as the agent does, with results as given; answers every call and text of the turn. */
async function runTurn(
  text: string,
  options: CallSettings & { result?: (call: ToolCall) => { text: string; isError?: boolean } } = {},
) {
  const prompt: LanguageModelV3Prompt = [{ role: 'system', content: 'You are Navi.' }, user(text)];
  const calls: ToolCall[] = [];
  const texts: string[] = [];
  for (let step = 0; step < 12; step++) {
    const { parts, text: said, error } = await call(prompt, options);
    if (error !== null) return { calls, texts, error, steps: step + 1 };
    texts.push(said);
    const made = parts.filter((part) => part.type === 'tool-call');
    if (made.length === 0) return { calls, texts, error: null, steps: step + 1 };
    calls.push(...made);
    prompt.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: said },
          ...made.map((one) => ({
            type: 'tool-call' as const,
            toolCallId: one.id,
            toolName: one.name,
            input: one.arguments,
          })),
        ],
      },
      {
        role: 'tool',
        content: made.map((one) => {
          const { text: value, isError } = options.result?.(one) ?? { text: `result of ${one.name}` };
          return {
            type: 'tool-result' as const,
            toolCallId: one.id,
            toolName: one.name,
            output: isError ? { type: 'error-text' as const, value } : { type: 'text' as const, value },
          };
        }),
      },
    );
  }
  throw new Error('the turn never ended');
}

describe('the demo model', () => {
  it.each(['Hello!', 'What is the meaning of it all?', 'Draw a mermaid diagram', 'Think about it', 'What time is it?'])(
    'says to %j that it is a demo and how to connect a real model',
    async (text) => {
      const { texts, error } = await runTurn(text);
      expect(error).toBeNull();
      expect(texts.at(-1)).toMatch(/demo model[\s\S]*Ollama[\s\S]*OPENAI_BASE_URL/);
    },
  );

  it('shows what Markdown can do', async () => {
    const { texts } = await runTurn('Tell me something');
    for (const piece of ['## ', '1. ', '| --- |', '```ts', '$$']) expect(texts[0]).toContain(piece);
    expect((await runTurn('Draw a diagram')).texts[0]).toContain('```mermaid');
  });

  it.each([
    ['What time is it?', [['current_time', {}]]],
    [
      'Remember that the tea is green',
      [['scratchpad', { action: 'append', section: 'demo-notes', content: 'the tea is green' }]],
    ],
    ['What did you note?', [['scratchpad', { action: 'list' }]]],
    ['List the files', [['list_files', {}]]],
    ['Read src/main.ts', [['read_file', { path: 'src/main.ts' }]]],
    ['Search for "needle"', [['search_files', { query: 'needle' }]]],
    ['Fetch https://example.org/a, please', [['web_fetch', { url: 'https://example.org/a' }]]],
    ['Run `ls -la`', [['run_command', { command: 'ls -la' }]]],
    ['Run a command', [['run_command', { command: 'echo "Hello from the demo model"' }]]],
  ])('answers %j by calling the right tool', async (text, expected) => {
    const { calls } = await runTurn(text);
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual(expected);
  });

  it('writes a file with what was asked', async () => {
    const { calls } = await runTurn('Write notes/today.md');
    expect(calls).toMatchObject([
      { name: 'write_file', arguments: { path: 'notes/today.md', content: expect.stringContaining('today.md') } },
    ]);
  });

  it('looks for a file before it reads one that was not named', async () => {
    const { calls } = await runTurn('Read a file', {
      result: (one) => ({ text: one.name === 'list_files' ? 'a/b.txt (12 bytes)' : 'content' }),
    });
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['list_files', {}],
      ['read_file', { path: 'a/b.txt' }],
    ]);
  });

  it('works through several steps, some calls at once, and reports each result', async () => {
    const { calls, texts, steps } = await runTurn('Work through a task in steps');
    expect(calls.map(({ name }) => name)).toEqual([
      'current_time',
      'list_files',
      'scratchpad',
      'write_file',
      'read_file',
      'search_files',
    ]);
    expect(steps).toBe(6);
    expect(texts[0]).toContain('5 steps');
    expect(texts.at(-1)).toContain('All 5 steps are done');
  });

  it('goes on sensibly after a refusal', async () => {
    const { texts, calls } = await runTurn('Run a command', {
      result: () => ({ text: 'The person said no.', isError: true }),
    });
    expect(calls).toHaveLength(1);
    expect(texts.at(-1)).toMatch(/did not run[\s\S]*The person said no/);
  });

  it('quotes results that hold fences so that nothing leaks out of them', async () => {
    const { texts } = await runTurn('Read a.md', { result: () => ({ text: '```\nfenced\n```' }) });
    expect(texts.at(-1)).toContain('````text\n```\nfenced\n```\n````');
  });

  it('offers no command where commands are switched off, and says how to switch them on', async () => {
    const tools = ALL_TOOLS.filter((name) => name !== 'run_command');
    expect((await runTurn('Hello')).texts[0]).toContain('Run a command');
    expect((await runTurn('Hello', { tools })).texts[0]).not.toContain('Run a command');
    const { calls, texts } = await runTurn('Run a command', { tools });
    expect(calls).toEqual([]);
    expect(texts[0]).toContain('NAVI_RUN_COMMAND_ENABLED=true');
  });

  it('says so when a tool is not offered', async () => {
    const { texts, calls } = await runTurn('What time is it?', { tools: [] });
    expect(calls).toEqual([]);
    expect(texts[0]).toContain('`current_time`');
  });

  it('ends every turn, calling only what it is offered, whatever is said', async () => {
    const words = fc.constantFrom(
      'time',
      'note',
      'list',
      'read',
      'write',
      'search',
      'fetch',
      'run',
      'steps',
      'plan a',
      'think',
      'hello',
      'x.md',
      'long',
      '🙂',
      '`',
      'title',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 6 }),
        fc.subarray(ALL_TOOLS),
        fc.boolean(),
        async (said, tools, isError) => {
          const { calls, error } = await runTurn(said.join(' '), {
            tools,
            result: (one) => ({ text: `from ${one.name}: y.md`, isError }),
          });
          expect(error).toBeNull();
          for (const one of calls) expect(tools).toContain(one.name);
          expect(new Set(calls.map((one) => one.id)).size).toBe(calls.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does not take notices of the context for the person’s words', async () => {
    const notice = user('<notice>The time is 12:00. Remember the plan.</notice>');
    const { text } = await call([user('hello <notice>The time is 12:00.</notice>'), notice]);
    expect(text).toContain('Hello, and welcome');
    const afterResult = await call([
      user('What time is it?'),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'current_time', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'current_time', output: { type: 'text', value: 'noon' } },
        ],
      },
      notice,
    ]);
    expect(afterResult.text).toContain('noon');
  });

  it('gives the same answer to the same prompt', async () => {
    const prompt = [user('Work in steps')];
    expect(await call(prompt)).toEqual(await call(prompt));
  });

  it('gives calls of another prompt other ids', async () => {
    const first = await call([user('What time is it?')]);
    const second = await call([
      user('What time is it?'),
      { role: 'assistant', content: [{ type: 'text', text: 'Noon.' }] },
      user('What time is it?'),
    ]);
    const ids = [first, second].map(({ parts }) => parts.find((part) => part.type === 'tool-call')?.id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('writes about 1,500 words when asked for a long answer', async () => {
    const { text } = await call([user('A long answer, please')]);
    expect(text.split(/\s+/).length).toBeGreaterThan(1300);
    expect(text.split(/\s+/).length).toBeLessThan(1700);
  });

  it('thinks before it answers, unless it is told not to', async () => {
    expect((await call([user('Think about it')])).thinking.length).toBeGreaterThan(500);
    expect((await call([user('Think about it')], { think: false })).thinking).toBe('');
  });

  it.each([
    ['what memory recalled', 'What now?\n\n<context>\n[Recalled]\nSay *fail* to see an error card.\n</context>'],
    ['the summary', '<context>\n[Summary]\n- The user asked to fail\n</context>\n\nWhat now?'],
    ['a message that was never answered', 'Please fail\n\nWhat now?'],
  ])('does not take %s for the person’s newest words', async (_what, text) => {
    const { error, texts } = await runTurn(text);
    expect(error).toBeNull();
    expect(texts.at(-1)).toContain('demo model');
  });

  it('fails when asked to, at once or in the middle', async () => {
    const atOnce = await call([user('Please fail')]);
    expect(atOnce.error).toBeInstanceOf(ModelCallError);
    expect(atOnce.error).toMatchObject({ message: expect.stringContaining('on purpose') });
    expect((await call([user('Fail in the middle')])).text).toContain('begins well');
  });

  it('counts the whole prompt, so that the context really fills', async () => {
    const inputOf = async (text: string) => {
      const { parts } = await call([user(text)]);
      const finish = parts.at(-1);
      return finish?.type === 'finish' ? (finish.usage.inputTokens ?? 0) : 0;
    };
    expect((await inputOf(`hello ${'x'.repeat(4000)}`)) - (await inputOf('hello '))).toBe(1000);
  });

  it('makes a solid, a document and a page, and publishes each', async () => {
    const { calls, texts } = await runTurn('Show me what a viewer can do', {
      tools: [...ALL_TOOLS, 'content_publish'],
    });
    expect(calls.map(({ name, arguments: args }) => [name, (args as { path: string }).path])).toEqual(
      ['write_file', 'content_publish'].flatMap((tool) =>
        ['octahedron.stl', 'report.pdf', 'page.html'].map((file) => [tool, `session_files/${file}`]),
      ),
    );
    const contents = calls.slice(0, 3).map(({ arguments: args }) => (args as { content: string }).content);
    expect(contents.map((content) => content.slice(0, 8))).toEqual(['solid oc', '%PDF-1.4', '<!doctyp']);
    expect(texts.at(-1)).toContain('Three artifacts');
  });

  it('reads what is attached and tells of images', async () => {
    const notice = '[Uploaded files on disk:\n- my notes.md → session_files/s1/my notes.md]';
    const { calls } = await runTurn(`Look at this\n\n${notice}`);
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['read_file', { path: 'session_files/s1/my notes.md' }],
    ]);
    const image: LanguageModelV3Prompt[number] = {
      role: 'user',
      content: [
        {
          type: 'text',
          text: '[1 image attached inline — already in your context, no extra loading needed.\nOn disk: x]',
        },
        { type: 'file', mediaType: 'image/png', data: new Uint8Array(1) },
      ],
    };
    expect((await call([image])).text).toContain('I was sent an image');
  });

  it('refuses a prompt beyond the window, as real endpoints do', async () => {
    const { error } = await call([user('x'.repeat(5000))], { windowTokens: 1000 });
    expect(error).toMatchObject({ code: 'context-overflow' });
  });

  it('is cut by the length it is given', async () => {
    const { parts, text } = await call([user('A long answer')], { maxOutputTokens: 50, think: false });
    expect(text.length).toBeLessThanOrEqual(200);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  });

  it('names a session in a few words', async () => {
    const prompt: LanguageModelV3Prompt = [
      { role: 'system', content: 'Give this chat a short name of at most six words.' },
      user('How do I cook rice for the guests?'),
    ];
    expect((await call(prompt, { tools: [] })).text).toBe('How cook rice guests');
  });

  it('stops at once on abort', async () => {
    const slow = createModelRegistry({
      ollamaBaseUrl: 'http://127.0.0.1:9',
      openaiBaseUrl: null,
      openaiApiKey: null,
      ollamaNumCtx: 8192,
      openaiContextWindow: 8192,
      defaultModel: null,
      clock: systemClock,
      demoWordDelayMs: 10_000,
    });
    const stop = new AbortController();
    const reading = collect(
      callModel({
        model: await slow.resolve('demo/agent'),
        windowTokens: 8192,
        prompt: [user('hello')],
        tools: [],
        temperature: null,
        maxOutputTokens: null,
        think: true,
        signal: stop.signal,
      }),
    );
    stop.abort('enough');
    expect((await reading).error).toBe('enough');
    slow.close();
  });
});
