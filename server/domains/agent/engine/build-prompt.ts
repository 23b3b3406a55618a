/**
 * What the model is sent, as a pure function of what is stored. The profile's prompt stands byte-stable at the head, so
 * that local models keep their prefix cache; what changes from call to call goes to the tail.
 */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { truncateView } from '../../compression/engine/truncate-view';
import { inContextOrder } from '../../messages/engine/context-at';
import type { Message } from '../../messages/schema';
import { pairToolCalls } from './tool-pairs';

/** Stored system messages reach a model only with one of these sources (seed 004, `_LLM_SYSTEM_SOURCES`; product §2). */
const serviceRecordLabels: Readonly<Record<string, string>> = {
  synapse_event: 'Event',
  task_note: 'Note',
  memory_recall: 'Recalled from earlier in this chat',
};

export interface BuildPromptInput {
  /** The profile's prompt. */
  systemPrompt: string;
  /** Everything in context, in context order: summaries first, then by sequence. */
  context: readonly Message[];
  /** Built fresh for this call and stored nowhere: reminders, notices. */
  tailNotices: readonly string[];
  /** View of one message, in tokens. */
  messageBudgetTokens: number;
}

/** Words for a call whose result never came: the model must not wait for it. */
export const NO_RESULT_TEXT = 'No result: the call was interrupted before it finished.';

export function buildPrompt(input: BuildPromptInput): LanguageModelV3Prompt {
  const view = (text: string) => truncateView(text, input.messageBudgetTokens);
  const prompt: LanguageModelV3Message[] = [{ role: 'system', content: input.systemPrompt }];
  for (const entry of pairToolCalls(input.context)) {
    if (entry.kind === 'plain') {
      appendPlain(prompt, entry.message, view);
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
  }
  for (const notice of input.tailNotices) appendUser(prompt, `<reminder>\n${notice}\n</reminder>`);
  return prompt;
}

function appendPlain(prompt: LanguageModelV3Message[], message: Message, view: (text: string) => string): void {
  if (message.role === 'system') {
    const label = serviceRecordLabels[message.metadata.source ?? ''];
    if (label !== undefined) appendUser(prompt, `[${label}]\n${view(message.content)}`);
    return;
  }
  if (message.content === '') return;
  if (message.role === 'user') appendUser(prompt, view(message.content));
  else if (message.role === 'assistant') {
    const cut = message.metadata.stopped === true || message.metadata.interrupted === true;
    const text = view(message.content) + (cut ? '\n[This answer was cut off here.]' : '');
    prompt.push({ role: 'assistant', content: [{ type: 'text', text }] });
  }
}

/** Neighbouring user messages become one: many chat templates demand that roles alternate. */
function appendUser(prompt: LanguageModelV3Message[], text: string): void {
  const last = prompt[prompt.length - 1];
  if (last?.role === 'user') last.content.push({ type: 'text', text });
  else prompt.push({ role: 'user', content: [{ type: 'text', text }] });
}

/** Characters of a prompt, tools aside: what token estimates are made from. */
export function promptChars(prompt: LanguageModelV3Prompt): number {
  let chars = 0;
  for (const message of prompt) {
    if (message.role === 'system') {
      chars += message.content.length;
      continue;
    }
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'reasoning') chars += part.text.length;
      else if (part.type === 'tool-call') chars += part.toolName.length + JSON.stringify(part.input).length;
      else if (part.type === 'tool-result' && part.output.type === 'text') chars += part.output.value.length;
    }
  }
  return chars;
}
