/** Chats that show the rarer states: a long history, right-to-left text, failures, interruption, long names. */
import type { StubStore } from './stub-store';

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

export function seed(store: StubStore): void {
  const names = [
    'Invoices of spring',
    'A trip to the mountains',
    'Tests for the parser',
    'Garden plan',
    'Reading list',
  ];
  for (let index = 0; index < 90; index++) {
    const stored = store.create(`old-${index}`, {
      name: `${names[index % names.length]}${index < 5 ? '' : ` ${index}`}`,
      lastActive: ago(index * 0.6 * DAY_MS),
      pinned: index === 2 || index === 4,
    });
    store.message(stored, { role: 'user', content: 'Hello' });
    store.message(stored, { role: 'assistant', content: 'Hello, what can I do for you?' });
    Object.assign(stored.session, { lastActive: ago(index * 0.6 * DAY_MS) });
  }
  const long = store.create('long', {
    name: 'A thousand messages',
    contextTokenCount: 5600,
    contextTokenSource: 'real',
  });
  for (let turn = 0; turn < 500; turn++) {
    const isContext = turn > 300;
    store.message(long, { role: 'user', content: `Question ${turn + 1}: what about this one?`, isContext });
    const content = `Answer ${turn + 1}. ${'It depends on the weather, and on what you take along. '.repeat((turn % 7) + 1)}${turn % 5 === 0 ? '\n\n- one\n- two\n- three\n\n```ts\nconst a = 1;\n```' : ''}`;
    store.message(long, { role: 'assistant', content, isContext });
  }
  const states = store.create('states', {
    name: 'A very long name that somebody pasted from a document and that goes on and on without any regard for the width of a sidebar or of a heading on a telephone, as people do',
    contextTokenCount: 7600,
    runState: 'interrupted',
  });
  store.message(states, { role: 'user', content: 'مرحبا، كيف يمكنني كتابة هذا بالعربية؟' });
  store.message(states, {
    role: 'assistant',
    content: 'يمكنك الكتابة كما تشاء، وسيظهر النص من اليمين إلى اليسار.',
    thinking: 'They write Arabic.',
    metadata: { thinkingMs: 8200, turnEnd: turnEnd(3.1, 0, 64) },
  });
  store.message(states, {
    role: 'system',
    content: 'Model switched to qwen3',
    isContext: false,
    metadata: { source: 'model_switched' },
  });
  const asked = store.message(states, { role: 'user', content: 'Second try, please.' });
  asked.variants = { index: 1, branchIds: [1, 2, 3] };
  const failure = {
    code: 'rate-limited',
    message: 'The model asks to slow down. Try again in a moment.',
    details: 'HTTP 429: quota exceeded',
  };
  store.message(states, { role: 'assistant', content: '', isContext: false, metadata: { error: failure } });
  store.message(states, { role: 'user', content: `One very long word: ${'a'.repeat(300)}\nand a second line` });
  store.message(states, {
    role: 'assistant',
    content: 'This answer was cut off in the middle of a',
    metadata: { interrupted: true, runId: 'gone', step: 1 },
  });
  Object.assign(states.session, { preview: '', opening: '' });
}

const turnEnd = (elapsedSeconds: number, toolCalls: number, tokensOut: number) => ({
  elapsedSeconds,
  toolCalls,
  tokensIn: 900,
  tokensOut,
  contextTokens: 1000,
  windowTokens: 8192,
  model: 'demo/agent',
});
