/**
 * Messages that may not be parted: an assistant message with its tool calls, and their results, wherever these stand. Every
 * cut through a context goes between units, so no call is ever separated from its result.
 */
import type { Message } from '../../messages/schema';

/** In order of sequence. The first message is the one that asked; a plain message is a unit of its own. */
export interface Unit {
  messages: Message[];
}

/**
 * Every message in exactly one unit, units in the order of their first message. Call ids may repeat in a history (some
 * models count from 0 in every answer): a result belongs to the first call before it with its id that still waits, as in
 * the prompt builder. A result without a call is a unit of its own.
 */
export function toUnits(messages: readonly Message[]): Unit[] {
  const units: Unit[] = [];
  const waiting = new Map<string, Unit[]>();
  for (const message of messages) {
    const owner = message.role === 'tool' ? waiting.get(message.toolCallId ?? '')?.shift() : undefined;
    if (owner !== undefined) {
      owner.messages.push(message);
      continue;
    }
    const unit: Unit = { messages: [message] };
    units.push(unit);
    if (message.role !== 'assistant') continue;
    const own = new Map<string, Unit[]>();
    for (const call of message.toolCalls ?? []) own.set(call.id, [...(own.get(call.id) ?? []), unit]);
    // A newer call under the same id: whatever still waits under it will never be answered.
    for (const [id, slots] of own) waiting.set(id, slots);
  }
  return units;
}
