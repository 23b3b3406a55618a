import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { describeEachEngine } from '../../testing/database';
import { callTools, createGate, finish, say } from '../../testing/scripted-model';
import { createTestTool, untilAborted } from '../../testing/test-tools';
import { QUIET_LEASE_MS, transcript, useApps } from '../../testing/use-apps';
import { ToolError } from './tools/types';

/** Results of tools that a prompt carries, by call. */
const resultsIn = (prompt: LanguageModelV3Prompt = []) =>
  prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) =>
          part.type === 'tool-result' && part.output.type === 'text' ? [[part.toolCallId, part.output.value]] : [],
        )
      : [],
  );

describeEachEngine('tool calls of a turn', (getDatabase) => {
  const open = useApps(getDatabase);

  it('runs the calls of a step in order, stores each result and lets the model answer', async () => {
    const order: string[] = [];
    const note = createTestTool('note', async ({ text }) => {
      order.push(String(text));
      return { text: `noted ${text}`, metadata: { where: 'pad' } };
    });
    const app = await open({ tools: [note] });
    const sessionId = await app.newSession();
    app.model.replies.push(
      callTools({ name: 'note', arguments: { text: 'a' } }, { name: 'note', arguments: { text: 'b' } }),
      say('Noted both.'),
    );
    await app.send(sessionId, 'Note a and b');
    await app.untilIdle(sessionId);
    expect(order).toEqual(['a', 'b']);
    expect(await transcript(app, sessionId)).toEqual([
      ['user', 'Note a and b'],
      ['assistant', ''],
      ['tool', 'noted a'],
      ['tool', 'noted b'],
      ['assistant', 'Noted both.'],
    ]);
    expect(resultsIn(app.model.calls[1]?.prompt)).toEqual([
      ['call-1', 'noted a'],
      ['call-2', 'noted b'],
    ]);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages[2]?.metadata).toMatchObject({ toolStatus: 'done', where: 'pad', step: 1 });
    expect(messages[4]).toMatchObject({ toolCallCount: 2, metadata: { turnEnd: { toolCalls: 2, tokensIn: 200 } } });
  });

  it('turns what a tool throws, an unknown tool and bad arguments into results that the model can mend', async () => {
    const app = await open({
      tools: [
        createTestTool('refuses', async () => {
          throw new ToolError('There is no such file.');
        }),
        createTestTool('breaks', async () => {
          throw new Error('index out of range');
        }),
        createTestTool('strict', async () => ({ text: 'never' }), { input: z.object({ path: z.string() }) }),
      ],
    });
    const sessionId = await app.newSession();
    app.model.replies.push(
      callTools(
        { name: 'refuses' },
        { name: 'breaks' },
        { name: 'no_such_tool' },
        { name: 'strict', arguments: { path: 7 } },
        { name: 'strict', malformed: '{"path": "a' },
      ),
      say('I see.'),
    );
    await app.send(sessionId, 'Go');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    const results = messages.filter((message) => message.role === 'tool');
    expect(results.map((message) => message.metadata.toolStatus)).toEqual(Array(5).fill('failed'));
    const texts = resultsIn(app.model.calls[1]?.prompt).map(([, text]) => text);
    expect(texts[0]).toBe('There is no such file.');
    expect(texts[1]).toContain('breaks failed: index out of range');
    expect(texts[2]).toContain('no tool named "no_such_tool"');
    expect(texts[3]).toContain('path');
    expect(texts[4]).toContain('not valid JSON');
    expect(messages.at(-1)?.content).toBe('I see.');
    expect(app.unexpected.splice(0)).toEqual([expect.objectContaining({ message: 'index out of range' })]);
  });

  it('gives up on a tool that hangs, and cuts one that returns too much', async () => {
    const app = await open({
      tools: [
        createTestTool('hangs', () => new Promise(() => {}), { timeoutMs: 50 }),
        createTestTool('floods', async () => ({ text: 'x'.repeat(50_000) }), { resultLimitChars: 1_000 }),
      ],
    });
    const sessionId = await app.newSession();
    app.model.replies.push(callTools({ name: 'hangs' }, { name: 'floods' }));
    await app.send(sessionId, 'Go');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    const [hung, flood] = messages.filter((message) => message.role === 'tool');
    expect(hung?.metadata.toolStatus).toBe('timed-out');
    expect(flood?.content.length).toBeLessThanOrEqual(1_000);
    expect(flood?.content).toContain('of 50000 characters');
  });

  it('ends after the most steps of one turn with a card that says so', async () => {
    const app = await open({
      tools: [createTestTool('again', async () => ({ text: 'more' }))],
      env: { NAVI_MAX_STEPS: '3' },
    });
    const sessionId = await app.newSession();
    app.model.fallback = callTools({ name: 'again' });
    await app.send(sessionId, 'Go');
    await app.untilIdle(sessionId);
    expect(app.model.calls).toHaveLength(3);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.at(-1)?.metadata.error).toMatchObject({
      code: 'step-limit',
      message: expect.stringContaining('3'),
    });
  });

  it('gives every call an id of its own, although the model counts from one in every answer', async () => {
    const app = await open({ tools: [createTestTool('echo', async ({ text }) => ({ text: String(text) }))] });
    const sessionId = await app.newSession();
    app.model.replies.push(
      callTools(
        { name: 'echo', id: '0', arguments: { text: 'first' } },
        { name: 'echo', id: '0', arguments: { text: 'second' } },
      ),
      callTools({ name: 'echo', id: '0', arguments: { text: 'third' } }),
      say('Done.'),
    );
    await app.send(sessionId, 'Go');
    await app.untilIdle(sessionId);
    expect(resultsIn(app.model.calls[2]?.prompt)).toEqual([
      ['0', 'first'],
      ['0-2', 'second'],
      ['0-3', 'third'],
    ]);
  });

  it('survives NUL and half characters in whatever a model or a tool says', async () => {
    const app = await open({
      tools: [createTestTool('odd', async () => ({ text: 'a\u0000b\udc00', metadata: { '\u0000k': '\ud800' } }))],
    });
    const sessionId = await app.newSession();
    app.model.replies.push(
      () => [
        { type: 'thinking-delta', text: 'h\u0000m \ud83d' },
        { type: 'text-delta', text: 'x\u0000y' },
        { type: 'tool-call', id: 'i\u0000d\ud83d', name: 'odd', arguments: { '\u0000': '\ud800' }, malformed: null },
        { type: 'tool-call', id: '', name: 'o\u0000dd', arguments: {}, malformed: '\u0000{' },
        finish('tool-calls'),
      ],
      say('fine'),
    );
    await app.send(sessionId, 'Hi \u0000 there \udc00');
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text).slice(0, 3)).toEqual([
      'Hi  there \ufffd',
      'xy',
      'ab\ufffd',
    ]);
    expect((await transcript(app, sessionId)).at(-1)).toEqual(['assistant', 'fine']);
  });

  it('shows a call and its progress live, and no text twice, to who joins while a tool runs', async () => {
    const gate = createGate();
    const slow = createTestTool('slow', async (_input, context) => {
      context.reportProgress('half way');
      await gate.pass(context.signal);
      return { text: 'slow result' };
    });
    const app = await open({ tools: [slow] });
    const sessionId = await app.newSession();
    app.model.replies.push(
      () => [
        { type: 'text-delta', text: 'Let me look.' },
        { type: 'tool-call', id: 'c', name: 'slow', arguments: {}, malformed: null },
        finish('tool-calls'),
      ],
      say('There.'),
    );
    const early = app.watch(sessionId);
    await app.send(sessionId, 'Go');
    await gate.reached;
    await early.until((event) => event.kind === 'tool-progress' && event.text === 'half way');
    const late = app.watch(sessionId);
    const snapshot = await late.until((event) => event.kind === 'snapshot');
    expect(snapshot).toMatchObject({ run: { text: '', toolCalls: [{ toolCallId: 'c', toolName: 'slow' }] } });
    gate.open();
    await late.until((event) => event.kind === 'run-end');
    const kinds = late.events.map(({ event }) => event.kind).filter((kind) => kind.startsWith('tool'));
    expect(kinds).toEqual(['tool-result']);
    await Promise.all([early.stop(), late.stop()]);
  });

  it('stops a tool at once, closes the calls that are left and starts no other', async () => {
    const started: string[] = [];
    const gate = createGate();
    const app = await open({
      // The next heartbeat would notice a stop too: there is none.
      leaseMs: QUIET_LEASE_MS,
      tools: [
        createTestTool('waits', async (_input, { signal }) => {
          started.push('waits');
          void gate.pass(signal).catch(() => undefined);
          return untilAborted(signal);
        }),
        createTestTool('later', async () => {
          started.push('later');
          return { text: 'never' };
        }),
      ],
    });
    const sessionId = await app.newSession();
    app.model.replies.push(callTools({ name: 'waits' }, { name: 'later' }));
    await app.send(sessionId, 'Go');
    await gate.reached;
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    expect(started).toEqual(['waits']);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(
      messages.slice(2).map((message) => [message.role, message.metadata.toolStatus ?? message.metadata.source]),
    ).toEqual([
      ['tool', 'stopped'],
      ['tool', 'stopped'],
      ['system', 'stopped'],
    ]);
  });
});
