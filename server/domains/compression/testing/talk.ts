/** A model that counts what it is sent and summarises what it is asked to, for tests of compression over the real app. */
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { ModelCallInput, ModelPart } from '../../../providers/types';
import type { Reply, ScriptedModel } from '../../../testing/scripted-model';

/** Tokens of a prompt as this model counts them: plain English, the tools included. */
export function countPrompt(input: Pick<ModelCallInput, 'prompt' | 'tools'>): number {
  const tools = input.tools.length === 0 ? 0 : JSON.stringify(input.tools).length;
  return Math.ceil((textOf(input.prompt).length + tools) / 4);
}

export function textOf(prompt: LanguageModelV3Prompt): string {
  return prompt
    .map((message) =>
      typeof message.content === 'string'
        ? message.content
        : message.content
            .map((part) => {
              if (part.type === 'text' || part.type === 'reasoning') return part.text;
              if (part.type === 'tool-call') return JSON.stringify(part.input);
              return part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '';
            })
            .join('\n'),
    )
    .join('\n');
}

const isSummariser = (input: ModelCallInput): boolean => textOf(input.prompt).includes('<conversation>');

export const answer =
  (text: string, reason: 'stop' | 'length' = 'stop'): Reply =>
  (input) => [
    ...(text === '' ? [] : [{ type: 'text-delta' as const, text }]),
    {
      type: 'finish',
      reason,
      usage: { inputTokens: countPrompt(input), outputTokens: Math.ceil(text.length / 4) },
    } satisfies ModelPart,
  ];

export const SUMMARY =
  '- Goal: talk about many things at length.\n- Done: all of them were named.\nKEYS: alpha, /etc/navi.conf';

export interface Talk {
  /** What the next summaries are, in order; then `SUMMARY` again and again. */
  summaries: Reply[];
  /** Calls that asked for a summary, and those that did not. */
  summaryCalls: ModelCallInput[];
  calls: ModelCallInput[];
}

/** Makes the scripted model answer `text(n)` to the n-th message and write summaries when asked. */
export function talk(model: ScriptedModel, text: (call: number) => string): Talk {
  const state: Talk = { summaries: [], summaryCalls: [], calls: [] };
  model.fallback = (input) => {
    if (isSummariser(input)) {
      state.summaryCalls.push(input);
      return (state.summaries.shift() ?? answer(SUMMARY))(input);
    }
    state.calls.push(input);
    return answer(text(state.calls.length))(input);
  };
  return state;
}

/** About `chars` characters of text that says a number, so that every one is another. */
export function prose(about: number | string, chars: number): string {
  const sentence = `Here is something to be said about subject ${about}, in plain words and at some length. `;
  return sentence.repeat(Math.max(1, Math.ceil(chars / sentence.length))).slice(0, chars);
}
