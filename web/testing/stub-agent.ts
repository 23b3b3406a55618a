/** A scripted answer for the stub server: thinking, calls, an approval on request, streamed text, failures on request. */
import type { StubSession, StubStore } from './stub-store';

const ANSWER = `Here is what I found in the workspace.

## Overview

The folder holds **three notes** and one script. The notes cost about $5 to print, the script is free.

| file | lines | what it is |
| --- | ---: | --- |
| \`notes.md\` | 42 | ideas for the trip |
| \`packing.md\` | 18 | what to take along |
| \`route.ts\` | 96 | computes the distances |

\`\`\`ts
/** Kilometres between two points on the earth. */
export function distance(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  return 2 * 6371 * Math.asin(Math.sqrt(haversine(a, b, radians)));
}
\`\`\`

1. Start in the valley, early in the morning.
2. Take the northern ridge; it is longer and safer.
3. Be back before the weather turns.

> The forecast changes quickly in the mountains.

If you like, I can turn this into a plan with times.`;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays one turn. Words in the message choose what happens: fail, approve, many, slow, think. */
export async function playTurn(store: StubStore, stored: StubSession, text: string): Promise<void> {
  const runId = crypto.randomUUID();
  const abort = new AbortController();
  stored.abort = abort;
  const startedAt = new Date().toISOString();
  const model = stored.session.model ?? 'demo/agent';
  stored.run = { runId, startedAt, model, step: 1, text: '', thinking: '', toolCalls: [] };
  const run = stored.run;
  store.change(stored, { runState: 'running' });
  store.emit(stored, { kind: 'run-start', runId, model, startedAt });
  store.emit(stored, { kind: 'step-start', runId, step: 1 });
  await sleep(/slow/.test(text) ? 4000 : 300);
  const end = (status: 'done' | 'stopped' | 'failed') => {
    stored.run = null;
    stored.abort = null;
    const next = stored.queue.shift();
    store.emit(stored, { kind: 'run-end', runId, status, turnEnd: null, runState: next ? 'running' : 'idle' });
    if (next === undefined) return store.change(stored, { runState: 'idle' });
    store.emit(stored, { kind: 'queue-updated', queue: [...stored.queue] });
    const message = store.message(stored, { role: 'user', content: next.text });
    store.emit(stored, { kind: 'message-added', message });
    void playTurn(store, stored, next.text);
  };
  const say = (message: ReturnType<StubStore['message']>) => store.emit(stored, { kind: 'message-added', message });
  if (/fail/.test(text)) {
    const message = 'The model “qwen3” at http://127.0.0.1:11434 cannot be reached.';
    const error = { code: 'provider-unavailable', message, details: 'connect ECONNREFUSED 127.0.0.1:11434' };
    say(store.message(stored, { role: 'assistant', content: '', isContext: false, metadata: { runId, error } }));
    return end('failed');
  }
  for (const word of 'The person wants an overview. I should look at the files first, then read the notes.'.split(
    /(?<= )/,
  )) {
    run.thinking += word;
    store.emit(stored, { kind: 'thinking-delta', runId, step: run.step, text: word });
    await sleep(40);
  }
  const names = /many/.test(text)
    ? ['list_files', 'read_file', 'read_file', 'search_files', 'read_file', 'web_fetch', 'current_time']
    : ['list_files', 'read_file'];
  if (/approve/.test(text)) names.push('run_command');
  for (const [index, name] of names.entries()) {
    const toolCallId = `call-${runId}-${index}`;
    const args = argumentsOf(name);
    const metadata = { runId, step: run.step, thinkingMs: 3200 };
    const thinking = run.thinking || null;
    say(
      store.message(stored, {
        role: 'assistant',
        content: '',
        thinking,
        toolCalls: [{ id: toolCallId, name, arguments: args }],
        metadata,
      }),
    );
    run.text = '';
    run.thinking = '';
    const call = { toolCallId, toolName: name, arguments: args, startedAt: new Date().toISOString() };
    run.toolCalls = [call];
    store.emit(stored, { kind: 'tool-call', runId, step: run.step, ...call });
    if (name === 'run_command') {
      const approval = { toolCallId, toolName: name, arguments: args, risk: 'execute' as const };
      stored.approvals = [approval];
      store.emit(stored, { kind: 'approval-asked', runId, step: run.step, approval });
      while (stored.approvals.length > 0 && !abort.signal.aborted) await sleep(50);
    } else {
      await sleep(250);
      store.emit(stored, { kind: 'tool-progress', runId, step: run.step, toolCallId, text: 'Half way through' });
      await sleep(350);
    }
    if (abort.signal.aborted) return end('stopped');
    run.toolCalls = [];
    const toolStatus = index === 3 ? ('failed' as const) : ('done' as const);
    say(
      store.message(stored, {
        role: 'tool',
        name,
        toolCallId,
        content: resultOf(name),
        metadata: { toolStatus, durationMs: 600 },
      }),
    );
    store.emit(stored, { kind: 'tool-result', runId, step: run.step, toolCallId, status: toolStatus });
    run.step += 1;
    store.emit(stored, { kind: 'step-start', runId, step: run.step });
  }
  for (const word of ANSWER.split(/(?<=\s)/)) {
    if (abort.signal.aborted) break;
    run.text += word;
    store.emit(stored, { kind: 'text-delta', runId, step: run.step, text: word });
    await sleep(30);
  }
  const isStopped = abort.signal.aborted;
  const turnEnd = {
    elapsedSeconds: 12.4,
    toolCalls: names.length,
    tokensIn: 3120,
    tokensOut: 1204,
    contextTokens: 3110,
    windowTokens: 8192,
    model,
  };
  say(
    store.message(stored, {
      role: 'assistant',
      content: run.text,
      thinking: run.thinking || null,
      metadata: { runId, step: run.step, turnEnd, ...(isStopped ? { stopped: true } : {}) },
    }),
  );
  if (stored.session.name === null) store.change(stored, { name: 'What is in the workspace' });
  store.change(stored, { contextTokenCount: stored.session.contextTokenCount + 1100, contextTokenSource: 'real' });
  end(isStopped ? 'stopped' : 'done');
}

function argumentsOf(name: string): Record<string, unknown> {
  if (name === 'list_files') return { path: '.' };
  if (name === 'read_file') return { path: 'notes/trip-to-the-mountains.md' };
  if (name === 'search_files') return { query: 'northern ridge' };
  if (name === 'web_fetch') return { url: 'https://example.com/weather?region=north&days=3' };
  if (name === 'run_command') return { command: 'du -sh * | sort -h | tail -n 20' };
  return {};
}

function resultOf(name: string): string {
  if (name === 'list_files')
    return JSON.stringify([
      { name: 'notes.md', size: 1204 },
      { name: 'route.ts', size: 3310 },
    ]);
  if (name === 'search_files') return 'No file contains “northern ridge”.';
  return '# Trip\n\nStart in the valley.\nTake the northern ridge.';
}
