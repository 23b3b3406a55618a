import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHistory } from './format';
import { splitKeysLine } from './keys-line';
import { META_SUMMARY_CHARS, summariesToMerge } from './meta-summary';
import { MAX_SUMMARY_INPUT_CHARS, summaryInputChars, summaryOutputTokens, toSummaryInputs } from './summary-input';
import { contexts, history, makeMessage } from './testing/histories';
import { validateSummary } from './validate-summary';

const options = { windowTokens: 8192, imageTokens: () => 1026, canSeeImages: true };
const textOf = (messages: Parameters<typeof formatHistory>[0]) =>
  formatHistory(messages, options)
    .entries.map((entry) => entry.text)
    .join('\n\n');

describe('formatting for the summariser', () => {
  it('shows calls with 120 characters of arguments and results with 800', () => {
    const built = history().user('find it');
    built.assistant('Looking.', { toolCalls: [{ id: 'a', name: 'look', arguments: { path: 'p'.repeat(500) } }] });
    built.result('a', 'r'.repeat(5000));
    const text = textOf(built.messages);
    expect(text).toContain('User: find it');
    expect(text).toContain(`[called look {"path":"${'p'.repeat(111)}… [511 characters]]`);
    expect(text).toContain(`${'r'.repeat(800)}… [5000 characters]`);
    expect(text).not.toContain('r'.repeat(801));
  });

  it('keeps critical results verbatim up to 4,000 characters, then 2,000 from each end', () => {
    const built = history().calls(['a', 'b']);
    built.result('a', 'f'.repeat(4000), { isCompressionCritical: true });
    built.result('b', `${'h'.repeat(3000)}${'t'.repeat(3000)}`, { name: 'run_command' });
    const text = textOf(built.messages);
    expect(text).toContain('f'.repeat(4000));
    expect(text).toContain(`${'h'.repeat(2000)}\n[… 2000 characters left out …]\n${'t'.repeat(2000)}`);
  });

  it('sends images up to a quarter of the window, newest first, and still notes those it leaves out', () => {
    const image = (id: string) => ({
      id,
      name: `${id}.png`,
      kind: 'image' as const,
      mimeType: 'image/png',
      sizeBytes: 1,
    });
    const messages = ['a', 'b', 'c'].map((id, at) =>
      makeMessage({
        sequenceNumber: at + 1,
        role: 'user',
        content: `see ${id}`,
        images: [image(id)],
        metadata: { imagesSent: [id] },
      }),
    );
    const formatted = formatHistory(messages, options);
    expect(formatted.images.map((one) => one.id)).toEqual(['c']);
    expect(formatted.imagesLeftOut).toBe(2);
    expect(formatted.imageTokens).toBe(options.imageTokens());
    const unseen = messages.map((message) => ({ ...message, metadata: { imagesSent: [] } }));
    expect(formatHistory(unseen, options).images).toEqual([]);
    expect(formatted.entries.filter((entry) => entry.text.includes('[+ 1 image(s)]'))).toHaveLength(3);
    expect(formatHistory(messages, { ...options, canSeeImages: false }).images).toEqual([]);
  });

  it('cuts a long input 75 / 25, so that the newest work is in it', () => {
    const built = history();
    for (let index = 0; index < 100; index++) built.user(`message ${index} ${'w'.repeat(990)}`);
    const [input, ...others] = toSummaryInputs(formatHistory(built.messages, options).entries, MAX_SUMMARY_INPUT_CHARS);
    expect(others).toEqual([]);
    expect(input).toContain('message 0 ');
    expect(input).toContain('message 20 ');
    expect(input).toContain('message 99 ');
    expect(input).not.toContain('message 50 ');
    expect(input?.length).toBeLessThan(MAX_SUMMARY_INPUT_CHARS + 100);
    expect(input?.indexOf('characters left out')).toBeGreaterThan(23_900);
  });

  it('shrinks the oldest tool results before it cuts anything', () => {
    const built = history();
    for (let index = 0; index < 50; index++)
      built.calls([`c${index}`]).result(`c${index}`, `${index}:${'r'.repeat(790)}`);
    const [input] = toSummaryInputs(formatHistory(built.messages, options).entries, MAX_SUMMARY_INPUT_CHARS);
    expect(input).not.toContain('characters left out');
    expect(input).toContain('[792 characters]');
    expect(input?.endsWith('r'.repeat(790))).toBe(true);
  });

  it('splits what is over the window into up to four parts, none longer than one call can read', () => {
    const built = history();
    for (let index = 0; index < 60; index++) built.user(`message ${index} ${'w'.repeat(990)}`);
    const inputs = toSummaryInputs(formatHistory(built.messages, options).entries, 20_000, 4);
    expect(inputs).toHaveLength(4);
    for (let index = 0; index < 60; index++) expect(inputs.join('\n')).toContain(`message ${index} `);
  });

  it('leaves room for instructions and answer in a small window', () => {
    expect(summaryInputChars(8192, 1 / 1.8)).toBe(8847);
    expect(summaryInputChars(131_072, 1 / 1.8)).toBe(32_000);
    expect(summaryOutputTokens(8192, 6000)).toBe(2048);
    expect(summaryOutputTokens(131_072, 6000)).toBe(6000);
  });

  it('says something about every message with content, in order, within the limit', () => {
    fc.assert(
      fc.property(
        contexts,
        fc.integer({ min: 1000, max: 40_000 }),
        fc.integer({ min: 1, max: 4 }),
        (context, limit, parts) => {
          const { entries } = formatHistory(context, options);
          const spoken = context.filter((message) => message.content !== '' || message.toolCalls !== null);
          expect(entries.map((entry) => entry.sequenceNumber)).toEqual(spoken.map((message) => message.sequenceNumber));
          const inputs = toSummaryInputs(entries, limit, parts);
          expect(inputs.length).toBeLessThanOrEqual(parts);
          for (const input of inputs) expect(input.length).toBeLessThan(limit + 60);
        },
      ),
    );
  });
});

describe('the KEYS line', () => {
  it.each([
    ['- did it\nKEYS: alpha, /srv/app, PROJ-12', '- did it', ['alpha', '/srv/app', 'PROJ-12']],
    ['- did it\n\n**KEYS:** `alpha`, "beta gamma".', '- did it', ['alpha', 'beta gamma']],
    ['- сделано\nKEYS：имя，путь', '- сделано', ['имя', 'путь']],
    ['- did it\n- Keys: a, a, b\n```', '- did it\n```', ['a', 'b']],
  ])('is taken out of %j', (summary, text, keys) => {
    expect(splitKeysLine(summary)).toEqual({ text, keys });
  });

  it('leaves a summary without one unchanged, also when it speaks of keys', () => {
    for (const summary of [
      '- did it\n',
      'KEYS: were lost\n- and found again\n- then more\n- and more',
      '- rotated the API keys',
    ]) {
      expect(splitKeysLine(summary)).toEqual({ text: summary, keys: [] });
    }
  });
});

describe('earlier summaries', () => {
  it('are merged first when there are several and they are long', () => {
    const long = history().summary('a'.repeat(6000)).summary('b'.repeat(6000)).user('next');
    expect(summariesToMerge(long.messages)).toHaveLength(2);
    expect(summariesToMerge(history().summary('a'.repeat(20_000)).user('next').messages)).toBeNull();
    const short = history()
      .summary('a'.repeat(META_SUMMARY_CHARS / 2))
      .summary('b'.repeat(META_SUMMARY_CHARS / 2));
    expect(summariesToMerge(short.messages)).toBeNull();
  });
});

describe('validation of a summary', () => {
  const judge = (text: string, finishReason = 'stop') => validateSummary({ text, finishReason });

  it('takes a summary, with its reasoning removed and its keys apart', () => {
    expect(
      judge('<think>hm, what to keep</think>\n- The user wants a faster parser for the logs.\nKEYS: parser'),
    ).toEqual({
      isValid: true,
      text: '- The user wants a faster parser for the logs.',
      keys: ['parser'],
    });
    expect(judge('- 用户要部署到北京的服务器').isValid).toBe(true);
    expect(judge('- The vendor cannot provide invoices before May.\n- The user will pay by card.').isValid).toBe(true);
    expect(
      judge(`I'm sorry to report the state of it. ${'The work went on with many details. '.repeat(30)}`).isValid,
    ).toBe(true);
  });

  it.each([
    ['', 'empty'],
    ['   \n ', 'empty'],
    ['OK.', 'empty'],
    ['KEYS: a, b, c, d, e, f, g, h, i, j', 'empty'],
    ['No conversation history provided to compress.', 'refusal'],
    ['Summary unavailable due to context limits', 'refusal'],
    ["I'm sorry, but I can't help with that.", 'refusal'],
    ['I don’t see any conversation above. Please provide the conversation.', 'refusal'],
    ['Извините, я не могу помочь с этим запросом.', 'refusal'],
    ['К сожалению, разговор не предоставлен.', 'refusal'],
    ['抱歉，我无法完成这个请求。请提供对话内容。', 'refusal'],
    ['申し訳ありませんが、お手伝いできません。', 'refusal'],
    ['Es tut mir leid, dabei kann ich nicht helfen.', 'refusal'],
    ['Lo siento, no puedo ayudar con eso.', 'refusal'],
    ['Je suis désolé, je ne peux pas faire cela.', 'refusal'],
    ['죄송합니다, 도와드릴 수 없습니다.', 'refusal'],
    ['<think>The user wants a summary of the conversation, let me think', 'only-reasoning'],
    ['<think>all of it</think>', 'only-reasoning'],
    ['let me think about it</think>', 'only-reasoning'],
    ['<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>', 'tool-markup'],
    ['{"name": "read_file", "arguments": {"path": "a"}}', 'tool-markup'],
    ['[TOOL_CALLS] [{"name":"x"}]', 'tool-markup'],
  ])('refuses %j: %s', (text, fault) => {
    expect(judge(text)).toEqual({ isValid: false, fault });
  });

  it.each([
    'The parser of `<tool_call>` lost its end.\n- Fixed in src/parse.ts.\n- Open: the tests.',
    'Models that think inside `<think>` confuse the parser.\n- They close with `</think>`.\n- Fixed in src/think.ts.',
    '- The prompt must hold this:\n```xml\n<tool_call>\n{"name":"x"}\n```\n- The user agreed to it on Monday.',
  ])('keeps what stands around quoted markup: %j', (text) => {
    expect(judge(`${text}\nKEYS: parser, markup`)).toEqual({ isValid: true, text, keys: ['parser', 'markup'] });
  });

  it('refuses a call that only looks like a quotation', () => {
    const call = '```xml\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>\n```';
    expect(judge(`${call}`).isValid).toBe(false);
  });

  it('refuses a summary that was cut by length, however good it looks', () => {
    expect(judge('- The user wants a faster parser for', 'length')).toEqual({ isValid: false, fault: 'cut-by-length' });
  });
});
