import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHARS_PER_TOKEN, messageBudgetTokens, truncateView } from '../../compression/engine/truncate-view';
import { inContextOrder } from '../../messages/engine/context-at';
import { anyHistory, createMessage } from '../../messages/testing/messages';
import { cleanName } from '../naming';
import { buildPrompt, NO_RESULT_TEXT, promptText } from './build-prompt';
import { callIdsOf, uniqueCallId } from './call-ids';
import { malformedOf, wrapMalformed } from './malformed';
import { findOpenCalls, pairToolCalls } from './tool-pairs';

const build = (context: Parameters<typeof buildPrompt>[0]['context'], tailNotices: string[] = []) =>
  buildPrompt({
    systemPrompt: 'You are Navi.',
    context: inContextOrder(context),
    tailNotices,
    view: (text) => truncateView(text, 1_000),
  });

describe('pairing tool calls', () => {
  it('leaves no orphan on either side, loses no call and gives no result twice, for any history', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const paired = pairToolCalls(history);
        const used = new Set<number>();
        let calls = 0;
        for (const entry of paired) {
          if (entry.kind === 'plain') {
            expect(entry.message.role).not.toBe('tool');
            continue;
          }
          expect(entry.results.map((slot) => slot.call)).toEqual(entry.message.toolCalls);
          calls += entry.results.length;
          for (const { call, result } of entry.results) {
            if (result === null) continue;
            expect([result.role, result.toolCallId]).toEqual(['tool', call.id]);
            expect(result.sequenceNumber).toBeGreaterThan(entry.message.sequenceNumber);
            expect(used.has(result.sequenceNumber)).toBe(false);
            used.add(result.sequenceNumber);
          }
        }
        expect(calls).toBe(history.flatMap((message) => message.toolCalls ?? []).length);
        expect(paired).toHaveLength(history.filter((message) => message.role !== 'tool').length);
      }),
    );
  });

  const call = (id: string) => ({ id, name: 'tool', arguments: {} });
  const asks = (sequence: number, ...ids: string[]) =>
    createMessage(sequence, { role: 'assistant', toolCalls: ids.map(call) });
  const answers = (sequence: number, id: string) => createMessage(sequence, { role: 'tool', toolCallId: id });

  it('gives a result to the newest call of its id, in the order of the calls', () => {
    const paired = pairToolCalls([asks(1, '0'), asks(2, '0', '0'), answers(3, '0'), answers(4, '0'), answers(5, '0')]);
    const results = paired.map((entry) =>
      entry.kind === 'calls' ? entry.results.map((slot) => slot.result?.sequenceNumber ?? null) : [],
    );
    expect(results).toEqual([[null], [3, 4]]);
  });

  it('finds the calls that are still open, of the newest message that asked for any', () => {
    expect(findOpenCalls([asks(1, 'a', 'b'), answers(2, 'a')])?.calls.map((open) => open.id)).toEqual(['b']);
    expect(findOpenCalls([asks(1, 'a'), answers(2, 'a')])).toBeNull();
    expect(findOpenCalls([asks(1, 'a'), asks(2, 'b'), answers(3, 'b')])).toBeNull();
    expect(findOpenCalls([createMessage(1)])).toBeNull();
  });
});

describe('building the prompt', () => {
  it('is one that every vendor takes, for any history: head, alternation, calls with results, no stray records', () => {
    fc.assert(
      fc.property(anyHistory, fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }), (history, notices) => {
        const [head, ...rest] = build(history, notices);
        expect(head).toEqual({ role: 'system', content: 'You are Navi.' });
        for (const [index, message] of rest.entries()) {
          const next = rest[index + 1];
          expect(message.role).not.toBe('system');
          if (message.role === 'user') expect(next?.role).not.toBe('user');
          if (message.role !== 'assistant') continue;
          const ids = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
          if (ids.length === 0) {
            // Two texts in a row are one; a step with calls may follow a text.
            if (next?.role === 'assistant') expect(next.content.some((part) => part.type === 'tool-call')).toBe(true);
            continue;
          }
          if (next?.role !== 'tool') throw new Error('calls without their results');
          expect(next.content.map((part) => (part.type === 'tool-result' ? part.toolCallId : ''))).toEqual(ids);
        }
        for (const [index, message] of rest.entries()) {
          if (message.role === 'tool') expect(rest[index - 1]?.role).toBe('assistant');
        }
        expect(promptText([head ?? { role: 'system', content: '' }, ...rest]).length).toBeGreaterThanOrEqual(
          'You are Navi.'.length,
        );
      }),
    );
  });

  it('keeps everything before the tail byte for byte when a message is added: local models keep their prefix', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        // A new turn begins when the calls of the one before have their results.
        if (findOpenCalls(history) !== null || history.some((message) => message.isSummary)) return;
        const before = build(history);
        const after = build([...history, createMessage(history.length + 1, { content: 'next' })], ['notice']);
        const text = JSON.stringify(before).slice(0, -1);
        const shared = before.at(-1)?.role === 'user' ? text.slice(0, text.lastIndexOf('"}')) : text;
        expect(JSON.stringify(after).startsWith(shared)).toBe(true);
      }),
    );
  });

  it('lets records of the allowlist through, labelled, and no other', () => {
    const record = (source: string, sequence: number) =>
      createMessage(sequence, { role: 'system', content: source, metadata: { source } });
    const sources = [
      'synapse_event',
      'task_note',
      'memory_recall',
      'stopped',
      'interrupted',
      'compression',
      'model_switched',
    ];
    const prompt = JSON.stringify(build(sources.map(record)).slice(1));
    for (const source of sources.slice(0, 3)) expect(prompt).toContain(source);
    for (const source of sources.slice(3)) expect(prompt).not.toContain(source);
  });

  it('puts summaries first, tells cut answers as such, words missing results, and leaves out empty messages', () => {
    const prompt = build([
      createMessage(1, { content: 'question' }),
      createMessage(2, { role: 'assistant', content: 'half', metadata: { interrupted: true } }),
      createMessage(3, { role: 'assistant', content: 'more' }),
      createMessage(4, { role: 'assistant', content: '' }),
      createMessage(5, {
        role: 'assistant',
        content: 'Let me.',
        toolCalls: [{ id: '1', name: 'look', arguments: null }],
      }),
      createMessage(6, { isSummary: true, content: 'summary' }),
    ]);
    expect(prompt.slice(1)).toEqual([
      { role: 'user', content: [{ type: 'text', text: '<context>\nsummary\n</context>\n\nquestion' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'half\n[This answer was cut off here.]\n\nmore' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me.' },
          { type: 'tool-call', toolCallId: '1', toolName: 'look', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: '1', toolName: 'look', output: { type: 'text', value: NO_RESULT_TEXT } },
        ],
      },
    ]);
  });

  it('does not change what is stored', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const before = structuredClone(history);
        build(history, ['notice']);
        expect(history).toEqual(before);
      }),
    );
  });
});

describe('the view of one message', () => {
  it('is within its budget, never longer than the text, well formed, and holds both ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), fc.nat({ max: 2_000 }), (text, budget) => {
        const view = truncateView(text, budget);
        expect(view.length).toBeLessThanOrEqual(Math.max(200, budget * CHARS_PER_TOKEN));
        expect(view.length).toBeLessThanOrEqual(text.length);
        expect(view.isWellFormed()).toBe(text.isWellFormed());
        if (view === text) return;
        const [head, missing, tail] =
          /^(.*)\n\[… (\d+) characters left out here; the whole text is stored …\]\n(.*)$/s.exec(view)?.slice(1) ?? [];
        expect(text.startsWith(head ?? '?')).toBe(true);
        expect(text.endsWith(tail ?? '?')).toBe(true);
        expect(Number(missing)).toBe(text.length - (head?.length ?? 0) - (tail?.length ?? 0));
      }),
    );
  });

  it('takes a sixth of the window unless a budget is set', () => {
    expect([messageBudgetTokens(8192, 0), messageBudgetTokens(8192, 500)]).toEqual([1365, 500]);
  });
});

describe('ids of calls', () => {
  it('are unique, storable and short, whatever the model writes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('', '0', '0-2', '\u0000'), fc.string({ unit: 'binary', maxLength: 150 }))),
        (given) => {
          const taken = new Set<string>();
          for (const id of given) {
            const unique = uniqueCallId(id, taken);
            expect(taken.has(unique)).toBe(false);
            expect(unique.includes('\u0000')).toBe(false);
            expect([unique.length > 0, unique.length <= 120]).toEqual([true, true]);
            expect(unique.isWellFormed()).toBe(true);
            taken.add(unique);
          }
        },
      ),
    );
  });

  it('are kept as they are while nothing speaks against it', () => {
    const history = [createMessage(1, { role: 'assistant', toolCalls: [{ id: 'call_1', name: 'x', arguments: {} }] })];
    expect(uniqueCallId('call_2', callIdsOf(history))).toBe('call_2');
    expect(uniqueCallId('call_1', callIdsOf(history))).toBe('call_1-2');
  });
});

describe('malformed arguments', () => {
  it('come back as the model wrote them, and no proper arguments count as malformed', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (raw, value) => {
        expect(malformedOf(wrapMalformed(raw))).toBe(raw);
        expect(malformedOf(value)).toBeNull();
      }),
    );
  });
});

describe('names that models give', () => {
  it.each([
    ['A quiet meadow', 'A quiet meadow'],
    ['  "Łąka pełna maków."\n', 'Łąka pełna maków'],
    ['\n\n# **Weekly plan**\n\nI chose this because …', 'Weekly plan'],
    ['„Привіт, світе“', 'Привіт, світе'],
    ['问题的总结。', '问题的总结'],
    ['a\u00a0 b\tc', 'a b c'],
    ['...', null],
    ['""', null],
    ['', null],
    ['\n \n', null],
  ])('%j becomes %j', (answer, expected) => {
    expect(cleanName(answer)).toBe(expected);
  });

  it('are one line of at most sixty characters, or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (answer) => {
        const name = cleanName(answer);
        if (name === null) return;
        expect(name).not.toMatch(/[\n\r]/);
        expect(Array.from(name).length).toBeLessThanOrEqual(60);
        expect(name).toBe(name.trim());
        expect(name).not.toBe('');
      }),
    );
  });
});
