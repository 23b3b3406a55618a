/** The list of messages and what events and pages do to it. Pure. */
import type { Message, PagedMessage } from '../../../../server/domains/messages/schema';
import type { LiveStep, MessageChange } from './state';

/** Inserts by sequence. A message that is there already came from a page, which is at least as new: it stays. */
export function addMessage(messages: readonly PagedMessage[], message: Message): readonly PagedMessage[] {
  const last = messages.at(-1);
  const added: PagedMessage = { ...message, variants: null };
  if (last === undefined || last.sequenceNumber < message.sequenceNumber) return [...messages, added];
  const at = messages.findIndex((other) => other.sequenceNumber >= message.sequenceNumber);
  if (messages[at]?.sequenceNumber === message.sequenceNumber) return messages;
  return [...messages.slice(0, at), added, ...messages.slice(at)];
}

export function changeMessages(
  messages: readonly PagedMessage[],
  sequenceNumbers: readonly number[],
  changes: Partial<Message>,
): readonly PagedMessage[] {
  const wanted = new Set(sequenceNumbers);
  if (!messages.some((message) => wanted.has(message.sequenceNumber))) return messages;
  return messages.map((message) => (wanted.has(message.sequenceNumber) ? { ...message, ...changes } : message));
}

export function applyChange(messages: readonly PagedMessage[], event: MessageChange): readonly PagedMessage[] {
  return event.kind === 'message-added'
    ? addMessage(messages, event.message)
    : changeMessages(messages, event.sequenceNumbers, event.changes);
}

/** The same values keep their identity, so that a page read again paints nothing again. */
export function keepIdentity(before: readonly PagedMessage[], after: readonly PagedMessage[]): readonly PagedMessage[] {
  const known = new Map(before.map((message) => [message.sequenceNumber, message]));
  return after.map((message) => {
    const old = known.get(message.sequenceNumber);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(message) ? old : message;
  });
}

/** Whether a message is what the live step was writing. */
export function isMessageOfStep(message: Message, live: Pick<LiveStep, 'runId' | 'step'>): boolean {
  const { runId, step } = message.metadata;
  return message.role === 'assistant' && runId === live.runId && (step === undefined || step === live.step);
}
