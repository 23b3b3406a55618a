/** Messages and histories for tests of the engines. */
import fc from 'fast-check';
import type { Message } from '../schema';

export function createMessage(sequenceNumber: number, fields: Partial<Message> = {}): Message {
  return {
    sequenceNumber,
    role: 'user',
    content: `m${sequenceNumber}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    isDisplay: true,
    isContext: true,
    isPlan: false,
    isCompression: false,
    isSummary: false,
    isCompressionCritical: false,
    isRecall: false,
    thinking: null,
    toolCalls: null,
    toolCallId: null,
    name: null,
    files: null,
    images: null,
    elapsedSeconds: null,
    toolCallCount: null,
    tokenCount: null,
    metadata: {},
    supersededBy: null,
    branchId: null,
    ...fields,
  };
}

/** Any history at all, tool calls and results in any order, ids repeated, orphans on both sides. */
export const anyHistory: fc.Arbitrary<Message[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const, 'system' as const),
      content: fc.constantFrom('', 'text', 'more text'),
      callIds: fc.array(fc.constantFrom('0', '1', '2'), { maxLength: 3 }),
      toolCallId: fc.constantFrom('0', '1', '2', null),
      isSummary: fc.boolean(),
      source: fc.constantFrom(undefined, 'synapse_event', 'task_note', 'memory_recall', 'stopped', 'compression'),
      stopped: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map((drafts) =>
    drafts.map((draft, index) =>
      createMessage(index + 1, {
        role: draft.role,
        content: draft.content,
        isSummary: draft.role === 'user' && draft.isSummary,
        toolCallId: draft.role === 'tool' ? draft.toolCallId : null,
        name: draft.role === 'tool' ? 'tool' : null,
        toolCalls:
          draft.role === 'assistant' && draft.callIds.length > 0
            ? draft.callIds.map((id) => ({ id, name: 'tool', arguments: { of: index + 1 } }))
            : null,
        metadata: {
          ...(draft.source === undefined ? {} : { source: draft.source }),
          ...(draft.stopped ? { stopped: true } : {}),
        },
      }),
    ),
  );
