import type { SharedMessage } from '../../../server/domains/shares/schema';

/** A message of a share with the plainest values; `fields` are what it is about. */
export function shared(sequenceNumber: number, fields: Partial<SharedMessage>): SharedMessage {
  return {
    sequenceNumber,
    role: 'assistant',
    content: '',
    createdAt: '2026-01-01T00:00:00.000Z',
    isPlan: false,
    thinking: null,
    thinkingMs: null,
    toolCalls: null,
    toolCallId: null,
    name: null,
    toolStatus: null,
    durationMs: null,
    images: null,
    files: null,
    artifact: null,
    elapsedSeconds: null,
    toolCallCount: null,
    isStopped: false,
    isInterrupted: false,
    cutBy: null,
    errorCode: null,
    source: null,
    planSteps: null,
    compression: null,
    ...fields,
  };
}
