/** Messages and random histories for the tests and benchmarks of this engine. */
import * as fc from 'fast-check';
import type { Message, ToolCall } from '../../../messages/schema';
import { createMessage } from '../../../messages/testing/messages';

/** A message with everything at its default. */
export function makeMessage(fields: Partial<Message> & Pick<Message, 'sequenceNumber' | 'role'>): Message {
  return createMessage(fields.sequenceNumber, { content: '', ...fields });
}

/** Writes a history message by message; sequence numbers count up from 1. */
export function history() {
  const messages: Message[] = [];
  const push = (fields: Partial<Message> & Pick<Message, 'role'>) => {
    messages.push(makeMessage({ sequenceNumber: messages.length + 1, ...fields }));
    return builder;
  };
  const builder = {
    messages,
    user: (content: string, more: Partial<Message> = {}) => push({ role: 'user', content, ...more }),
    assistant: (content: string, more: Partial<Message> = {}) => push({ role: 'assistant', content, ...more }),
    summary: (content: string) => push({ role: 'user', content, isSummary: true, isDisplay: false }),
    note: (content: string, source: string) => push({ role: 'system', content, metadata: { source } }),
    calls: (ids: string[], content = '') =>
      push({ role: 'assistant', content, toolCalls: ids.map((id) => ({ id, name: 'look', arguments: { id } })) }),
    result: (id: string, content: string, more: Partial<Message> = {}) =>
      push({ role: 'tool', content, toolCallId: id, name: 'look', ...more }),
  };
  return builder;
}

type Piece =
  | { kind: 'user' | 'assistant' | 'note' | 'recall' | 'summary'; chars: number }
  | { kind: 'tools'; chars: number; results: number; reusesId: boolean; isPending: boolean };

const chars = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 100, max: 6000 }));
const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('user' as const), chars }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('assistant' as const), chars }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('note' as const, 'recall' as const), chars }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tools' as const),
      chars,
      results: fc.integer({ min: 1, max: 4 }),
      reusesId: fc.boolean(),
      isPending: fc.boolean(),
    }),
  },
);

/** Random contexts: turns, parallel calls, reused and pending call ids, service records, earlier summaries in front. */
export const contexts: fc.Arbitrary<Message[]> = fc
  .record({ summaries: fc.array(chars, { maxLength: 3 }), pieces: fc.array(piece, { maxLength: 60 }) })
  .map(({ summaries, pieces }) => {
    const built = history();
    for (const length of summaries) built.summary('s'.repeat(length));
    for (const [index, one] of pieces.entries()) addPiece(built, one, index);
    return built.messages;
  });

function addPiece(built: ReturnType<typeof history>, one: Piece, index: number): void {
  const text = 'x'.repeat(one.chars);
  if (one.kind === 'user') built.user(text);
  else if (one.kind === 'assistant') built.assistant(text);
  else if (one.kind === 'note') built.note(text, 'task_note');
  else if (one.kind === 'recall') built.note(text, 'memory_recall');
  else if (one.kind === 'tools') {
    const ids = Array.from({ length: one.results }, (_, at) => (one.reusesId ? `call_${at}` : `call_${index}_${at}`));
    built.calls(ids, text.slice(0, 20));
    for (const id of one.isPending ? ids.slice(1) : ids) built.result(id, text);
  }
}

/** Calls and results that a context would part: empty for every context that may be sent. */
export function partedCalls(whole: readonly Message[], part: readonly Message[]): string[] {
  const inPart = new Set(part.map((message) => message.sequenceNumber));
  return pairs(whole)
    .filter(([asked, answered]) => inPart.has(asked) !== inPart.has(answered))
    .map(([asked, answered]) => `${asked}/${answered}`);
}

/** Which result belongs to which call, by the rule of the prompt builder: the first call that waits under the id. */
function pairs(messages: readonly Message[]): [asked: number, answered: number][] {
  const found: [number, number][] = [];
  let open: { call: ToolCall; asked: number }[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const ids = new Set((message.toolCalls ?? []).map((call) => call.id));
      open = open.filter((slot) => !ids.has(slot.call.id));
      for (const call of message.toolCalls ?? []) open.push({ call, asked: message.sequenceNumber });
    } else if (message.role === 'tool') {
      const at = open.findIndex((slot) => slot.call.id === message.toolCallId);
      const [slot] = at === -1 ? [] : open.splice(at, 1);
      if (slot !== undefined) found.push([slot.asked, message.sequenceNumber]);
    }
  }
  return found;
}
