/**
 * What the model is sent, as a pure function of what is stored. The profile's prompt stands byte-stable at the head, so
 * that local models keep their prefix cache; what changes from call to call goes to the tail.
 */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { Message } from '../../messages/schema';
import { pairToolCalls } from './tool-pairs';

/** Stored system messages reach a model only with one of these sources (seed 004, `_LLM_SYSTEM_SOURCES`; product §2). */
const serviceRecordLabels: Readonly<Record<string, string>> = {
  synapse_event: 'Event',
  task_note: 'Note',
  memory_recall: 'Recalled from earlier in this chat',
};

/** By sequence number: what a message's files and images add to it. Built for one call. */
export type PromptAttachments = Map<number, { notice: string; images: { mediaType: string; data: Uint8Array }[] }>;

export interface BuildPromptInput {
  /** The profile's prompt. */
  systemPrompt: string;
  /** Everything in context, in context order: summaries first, then by sequence. */
  context: readonly Message[];
  attachments?: PromptAttachments;
  /** Built fresh for this call and stored nowhere: reminders, notices. */
  tailNotices: readonly string[];
  /** What the model is shown of one message's text: too long ones are cut in their middle. */
  view(text: string): string;
}

/** Words for a call whose result never came: the model must not wait for it. */
export const NO_RESULT_TEXT = 'No result: the call was interrupted before it finished.';

export function buildPrompt(input: BuildPromptInput): LanguageModelV3Prompt {
  const { view, attachments = new Map() as PromptAttachments } = input;
  const prompt: LanguageModelV3Message[] = [{ role: 'system', content: input.systemPrompt }];
  for (const entry of pairToolCalls(input.context)) {
    if (entry.kind === 'plain') {
      appendPlain(prompt, entry.message, view);
      appendAttachments(prompt, attachments.get(entry.message.sequenceNumber));
      continue;
    }
    const text = view(entry.message.content);
    prompt.push({
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...entry.results.map(({ call }) => ({
          type: 'tool-call' as const,
          toolCallId: call.id,
          toolName: call.name,
          input: call.arguments ?? {},
        })),
      ],
    });
    prompt.push({
      role: 'tool',
      content: entry.results.map(({ call, result }) => ({
        type: 'tool-result' as const,
        toolCallId: call.id,
        toolName: call.name,
        output: { type: 'text' as const, value: result === null ? NO_RESULT_TEXT : view(result.content) },
      })),
    });
    // Most endpoints take no images in a tool's result; behind all of them they can be shown by a message of the person's role.
    for (const { result } of entry.results) {
      if (result !== null) appendAttachments(prompt, attachments.get(result.sequenceNumber));
    }
  }
  for (const notice of input.tailNotices) appendUser(prompt, `<reminder>\n${notice}\n</reminder>`);
  return prompt;
}

/** Old words of anybody, merged with the person's new ones: where they begin and end must be plain to the model. */
const asContext = (text: string): string => `<context>\n${text}\n</context>`;

function appendPlain(prompt: LanguageModelV3Message[], message: Message, view: (text: string) => string): void {
  if (message.role === 'system') {
    const label = serviceRecordLabels[message.metadata.source ?? ''];
    if (label === undefined) return;
    const text = `[${label}]\n${view(message.content)}`;
    appendUser(prompt, message.metadata.source === 'memory_recall' ? asContext(text) : text);
    return;
  }
  if (message.content === '') return;
  // A summary is sent whole: it is short by its own limit, and its middle is as much worth as its ends.
  if (message.isSummary) appendUser(prompt, asContext(message.content));
  else if (message.role === 'user') appendUser(prompt, view(message.content));
  else if (message.role === 'assistant') {
    const cut = message.metadata.stopped === true || message.metadata.interrupted === true;
    const text = view(message.content) + (cut ? '\n[This answer was cut off here.]' : '');
    appendText(prompt, 'assistant', text);
  }
}

/** Right behind the text of its message, and merged with it. */
function appendAttachments(
  prompt: LanguageModelV3Message[],
  attached: { notice: string; images: { mediaType: string; data: Uint8Array }[] } | undefined,
): void {
  if (attached === undefined) return;
  appendUser(prompt, attached.notice);
  const last = prompt[prompt.length - 1];
  if (last?.role !== 'user') return;
  for (const { mediaType, data } of attached.images) last.content.push({ type: 'file', mediaType, data });
}

const appendUser = (prompt: LanguageModelV3Message[], text: string): void => appendText(prompt, 'user', text);

/**
 * Neighbours of one role become one message: many chat templates demand that roles alternate. Two user messages meet when
 * an answer never came, two answers when a turn was resumed. One text, because not every endpoint takes a list of parts.
 */
function appendText(prompt: LanguageModelV3Message[], role: 'user' | 'assistant', text: string): void {
  const last = prompt[prompt.length - 1];
  // Images of a message stand behind its one text.
  const part = last?.role === role ? last.content.find((candidate) => candidate.type === 'text') : undefined;
  if (part?.type === 'text' && isPlain(last)) part.text = `${part.text}\n\n${text}`;
  else prompt.push({ role, content: [{ type: 'text', text }] });
}

/** Whether a message holds nothing but words and pictures: text behind a tool call begins a message of its own. */
function isPlain(message: LanguageModelV3Message | undefined): boolean {
  return (
    (message?.role === 'user' || message?.role === 'assistant') &&
    message.content.every((part) => part.type === 'text' || part.type === 'file')
  );
}

/** Everything of a prompt that is text, tools aside: what checks on a provider's count look at. */
export function promptText(prompt: LanguageModelV3Prompt): string {
  const texts: string[] = [];
  for (const message of prompt) {
    if (message.role === 'system') {
      texts.push(message.content);
      continue;
    }
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'reasoning') texts.push(part.text);
      else if (part.type === 'tool-call') texts.push(part.toolName, JSON.stringify(part.input));
      else if (part.type === 'tool-result' && part.output.type === 'text') texts.push(part.output.value);
    }
  }
  return texts.join('\n');
}
