/** One message of every kind, each with everything that a message can carry and with what it must not give away. */
import type { MessageDraft } from '../../messages/stored-message';

/** Stands wherever something must stay inside; no answer of a share may hold it. */
export const INSIDE = 'must-stay-inside';

const file = {
  id: 'file-1',
  name: 'cat.png',
  kind: 'image' as const,
  mimeType: 'image/png',
  sizeBytes: 12,
  path: INSIDE,
  storedAs: INSIDE,
};
const junk = {
  runId: INSIDE,
  clientMessageId: INSIDE,
  model: INSIDE,
  rating: INSIDE,
  injected: { deeply: [{ nested: INSIDE }] },
  turnEnd: {
    elapsedSeconds: 1,
    toolCalls: 1,
    tokensIn: 1,
    tokensOut: 1,
    contextTokens: 1,
    windowTokens: 2,
    model: INSIDE,
  },
};

export function everyMessage(secretIds: readonly string[]): MessageDraft[] {
  const ids = secretIds.join(' and ');
  return [
    {
      role: 'user',
      content: `Look at this (${ids})`,
      images: [file],
      files: [{ ...file, id: 'file-2', name: 'notes.txt', kind: 'text', mimeType: 'text/plain' }],
      metadata: { ...junk, plan: true },
    },
    {
      role: 'assistant',
      content: '1. Read *(tool: read_file)*',
      isPlan: true,
      metadata: { ...junk, planSteps: [{ text: 'Read', executor: { kind: 'tool', name: 'read_file' } }] },
    },
    {
      role: 'assistant',
      content: '',
      thinking: `Let me see ${ids}`,
      toolCalls: [
        { id: 'call-1', name: 'read_file', arguments: { path: 'notes.txt', of: [ids] } },
        { id: 'call-2', name: 'memory_read', arguments: { from: 1, to: 2, session: INSIDE } },
        { id: 'call-3', name: 'render_component', arguments: { title: INSIDE } },
        { id: 'call-4', name: 'content_publish', arguments: { name: 'report.html' } },
        { id: 'call-5', name: 'share_file', arguments: { name: 'data.zip' } },
      ],
      metadata: { ...junk, thinkingMs: 1200 },
    },
    {
      role: 'tool',
      name: 'read_file',
      toolCallId: 'call-1',
      content: ids,
      metadata: { ...junk, toolStatus: 'done', durationMs: 3 },
    },
    { role: 'tool', name: 'memory_read', toolCallId: 'call-2', content: INSIDE, metadata: junk },
    {
      role: 'tool',
      name: 'render_component',
      toolCallId: 'call-3',
      content: INSIDE,
      metadata: { ...junk, component: INSIDE },
    },
    {
      role: 'tool',
      name: 'content_publish',
      toolCallId: 'call-4',
      content: 'Published.',
      metadata: {
        ...junk,
        artifact: { ...file, id: 'file-3', name: 'report.html', kind: 'html', mode: 'published', title: 'Report' },
      },
    },
    {
      role: 'tool',
      name: 'share_file',
      toolCallId: 'call-5',
      content: 'Shared.',
      metadata: {
        ...junk,
        artifact: { ...file, id: 'file-4', name: 'data.zip', kind: 'other', mode: 'shared', title: null },
      },
    },
    {
      role: 'assistant',
      content: 'Half an ans',
      metadata: { ...junk, stopped: true, error: { code: 'provider-unavailable', message: INSIDE, details: INSIDE } },
    },
    {
      role: 'system',
      content: INSIDE,
      isContext: false,
      isCompression: true,
      metadata: {
        ...junk,
        source: 'compression',
        compressionId: INSIDE,
        compression: {
          id: INSIDE,
          trigger: 'forced',
          status: 'done',
          model: `${INSIDE}/qwen3`,
          focus: INSIDE,
          method: 'summary',
          breadcrumbs: [INSIDE],
          tokensBefore: 18_240,
          tokensAfter: 6_910,
          messagesBefore: 42,
          messagesAfter: 9,
          durationMs: 6200,
          undoneAt: null,
        },
      },
    },
    { role: 'user', content: INSIDE, isDisplay: false, isSummary: true, metadata: { breadcrumbs: [INSIDE] } },
    { role: 'system', content: INSIDE, metadata: { source: 'memory_recall', excerpts: [{ text: INSIDE }] } },
    { role: 'system', content: 'A door was opened.', metadata: { ...junk, source: 'synapse_event' } },
    {
      role: 'system',
      content: 'Profile switched to Coder',
      isContext: false,
      metadata: { source: 'profile_switched' },
    },
    { role: 'system', content: INSIDE, metadata: { source: 'something_new' } },
    { role: 'system', content: INSIDE, metadata: {} },
    { role: 'user', content: INSIDE, isDisplay: false },
  ];
}
