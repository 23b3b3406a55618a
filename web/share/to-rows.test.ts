import { describe, expect, it } from 'vitest';
import { shared } from './testing/shared-message';
import { createRows, filesOf } from './to-rows';

const file = { id: 'f', name: 'a.html', kind: 'html' as const, mimeType: 'text/html', sizeBytes: 1 };
const newest = [
  shared(4, { role: 'tool', name: 'content_publish', toolCallId: 'a', artifact: { ...file, title: null } }),
  shared(5, { content: 'Done.', isStopped: true }),
  shared(6, {
    role: 'system',
    source: 'compression',
    compression: {
      trigger: 'forced',
      method: 'summary',
      model: 'qwen3',
      durationMs: 1,
      tokensBefore: 2,
      tokensAfter: 1,
      messagesBefore: 2,
      messagesAfter: 1,
      isUndone: true,
    },
  }),
];
const older = [
  shared(1, { role: 'user', content: 'Make it' }),
  shared(2, { content: '1. Step', isPlan: true, planSteps: [{ text: 'Step', executor: null }] }),
  shared(3, { toolCalls: [{ id: 'a', name: 'content_publish', arguments: {} }] }),
];

describe('the rows of a share', () => {
  it('are those of the chat, without anything to do', () => {
    const items = createRows()([...older, ...newest]);
    expect(items.map((item) => item.kind)).toEqual([
      'user',
      'assistant',
      'steps',
      'artifact',
      'assistant',
      'foot',
      'compression',
    ]);
    const artifact = items.find((item) => item.kind === 'artifact');
    expect(artifact?.kind === 'artifact' && filesOf(artifact.message).artifact?.id).toBe('f');
    expect(items.find((item) => item.kind === 'foot')).toMatchObject({ ending: 'stopped' });
  });

  it.each(['length', 'content-filter'] as const)('say that an answer was cut: %s', (cutBy) => {
    const items = createRows()([
      shared(1, { role: 'user', content: 'Go on' }),
      shared(2, { content: 'And th', cutBy }),
    ]);
    expect(items.at(-1)).toMatchObject({ kind: 'foot', ending: cutBy });
  });

  it('keep those that were there when older messages join: a call finds its result in the page below', () => {
    const toRows = createRows();
    const before = toRows(newest);
    expect(before.map((item) => item.kind)).toEqual(['assistant', 'foot', 'compression']);
    const after = toRows([...older, ...newest]);
    expect(after.find((item) => item.key === before[0]?.key)).toBe(before[0]);
    expect(after.find((item) => item.kind === 'compression')).toBe(before[2]);
    const steps = after.find((item) => item.kind === 'steps');
    const entry = steps?.kind === 'steps' ? steps.entries[0] : undefined;
    expect(entry?.kind === 'call' && entry.view.result?.sequenceNumber).toBe(4);
  });
});
