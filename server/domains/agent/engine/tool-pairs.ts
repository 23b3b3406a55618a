import type { Message, ToolCall } from '../../messages/schema';

/** A piece of the context in which every call stands with its result. */
export type PairedMessage =
  | { kind: 'plain'; message: Message }
  | { kind: 'calls'; message: Message; results: { call: ToolCall; result: Message | null }[] };

/**
 * Puts each tool result right behind the call that asked for it, whatever stands between, and leaves out results whose
 * call is gone. A call without a result gets `null`, which the builder words. So what a model is sent never holds an
 * orphan on either side (product §2). Call ids may repeat in a history (some models count from 0 in every answer): each
 * call takes the first unclaimed result after it.
 */
export function pairToolCalls(context: readonly Message[]): PairedMessage[] {
  const waiting = new Map<string, { call: ToolCall; result: Message | null }[]>();
  const paired: PairedMessage[] = [];
  for (const message of context) {
    if (message.role === 'tool') {
      const slots = waiting.get(message.toolCallId ?? '');
      const slot = slots?.shift();
      if (slot !== undefined) slot.result = message;
      continue;
    }
    if (message.role !== 'assistant' || message.toolCalls === null || message.toolCalls.length === 0) {
      paired.push({ kind: 'plain', message });
      continue;
    }
    const results = message.toolCalls.map((call) => ({ call, result: null as Message | null }));
    for (const slot of results) {
      // A newer call with the same id: whatever still waits under it will never be answered.
      const others = (waiting.get(slot.call.id) ?? []).filter((other) => results.includes(other));
      waiting.set(slot.call.id, [...others, slot]);
    }
    paired.push({ kind: 'calls', message, results });
  }
  return paired;
}

/** Calls of the newest assistant message that have no result yet, with that message. */
export function findOpenCalls(tail: readonly Message[]): { message: Message; calls: ToolCall[] } | null {
  const paired = pairToolCalls(tail);
  for (let index = paired.length - 1; index >= 0; index--) {
    const entry = paired[index];
    if (entry?.kind !== 'calls') continue;
    const calls = entry.results.filter((slot) => slot.result === null).map((slot) => slot.call);
    return calls.length === 0 ? null : { message: entry.message, calls };
  }
  return null;
}
