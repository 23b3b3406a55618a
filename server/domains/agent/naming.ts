/** A short name for a session after its first exchange (product §2). */
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { previewOf } from '../../lib/text';
import type { CallModel } from '../../providers/types';
import type { Run } from './run';

/** Longest name that naming gives, in characters. */
const NAME_LIMIT = 60;
/** Characters of each side of the exchange that the model is shown. */
const EXCERPT_CHARS = 1_500;
/** Tokens that a name may take; thinking models spend some before the first word. */
const MAX_OUTPUT_TOKENS = 400;

export const NAMING_PROMPT =
  'Name the following chat in at most six words, in its own language. Answer with the name alone: no quotes, no full stop.';

/** Takes the model's answer for what it is meant to be: its first line, without quotes, marks and a full stop. Null when nothing is left. */
export function cleanName(answer: string): string | null {
  const line = answer.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const name = line.replace(/^[\s#>*_"'“”„«»`-]+|[\s*_"'“”„«»`.。]+$/gu, '').replace(/\s+/g, ' ');
  return name === '' ? null : previewOf(name, NAME_LIMIT);
}

/** The name that a model finds; without a usable answer, or when the call fails, the beginning of what the person said. */
export async function findName(
  callModel: CallModel,
  { run, userText, answer, signal }: { run: Run; userText: string; answer: string; signal: AbortSignal },
): Promise<string | null> {
  const fallback = previewOf(userText, NAME_LIMIT);
  // The demo would have to invent; the person's own words are the better name.
  if (run.model.isDemo) return fallback === '' ? null : fallback;
  const prompt: LanguageModelV3Prompt = [
    { role: 'system', content: NAMING_PROMPT },
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: `Person: ${userText.slice(0, EXCERPT_CHARS)}\n\nAssistant: ${answer.slice(0, EXCERPT_CHARS)}`,
        },
      ],
    },
  ];
  let text = '';
  const parts = callModel({
    model: run.model,
    windowTokens: run.windowTokens,
    prompt,
    tools: [],
    temperature: 0.3,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    think: false,
    signal,
  });
  try {
    for await (const part of parts) if (part.type === 'text-delta') text += part.text;
  } catch {
    // Whatever is wrong with the model shows in the next answer; a name is not worth a word about it.
    text = '';
  }
  return cleanName(text) ?? (fallback === '' ? null : fallback);
}
