/** Folds the SDK's stream parts of one answer into Navi's: no I/O, no time. */
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3ToolCall } from '@ai-sdk/provider';
import { createThinkSplitter } from './think-tags';
import type { FinishReason, ModelPart } from './types';

export interface Normaliser {
  /** The parts that this part of the SDK's stream amounts to; mostly none or one. Throws the error of an error part. */
  push(part: LanguageModelV3StreamPart): ModelPart[];
  /** True once text, thinking or a tool call was given out. */
  hasContent(): boolean;
}

const NOTHING: ModelPart[] = [];

/** Creates the normaliser of one answer. */
export function createNormaliser(): Normaliser {
  const splitter = createThinkSplitter();
  let hasContent = false;
  let toolCalls = 0;

  const given = (parts: ModelPart[]): ModelPart[] => {
    if (parts.length > 0) hasContent = true;
    return parts;
  };

  return {
    hasContent: () => hasContent,
    push(part) {
      switch (part.type) {
        case 'text-delta':
          return part.delta === '' ? NOTHING : given(splitter.push(part.delta));
        case 'reasoning-delta':
          return part.delta === '' ? NOTHING : given([{ type: 'thinking-delta', text: part.delta }]);
        case 'tool-call':
          toolCalls++;
          return given([...splitter.flush(), toolCallOf(part)]);
        case 'finish': {
          const rest = given(splitter.flush());
          return [
            ...rest,
            {
              type: 'finish',
              reason: reasonOf(part.finishReason, toolCalls),
              usage: {
                // The providers write 0 where the endpoint said nothing; no real call has no tokens.
                inputTokens: part.usage.inputTokens.total || null,
                outputTokens: part.usage.outputTokens.total || null,
              },
            },
          ];
        }
        case 'error':
          throw part.error;
        default:
          return NOTHING;
      }
    },
  };
}

function reasonOf(reason: LanguageModelV3FinishReason, toolCalls: number): FinishReason {
  if (toolCalls > 0 && reason.unified !== 'length' && reason.unified !== 'content-filter') return 'tool-calls';
  if (reason.unified === 'tool-calls') return 'stop';
  return reason.unified === 'error' ? 'other' : reason.unified;
}

/** Parses the arguments. No arguments at all count as `{}`; JSON inside a JSON string, as some models write it, is unwrapped. */
export function toolCallOf(call: LanguageModelV3ToolCall): Extract<ModelPart, { type: 'tool-call' }> {
  const raw = call.input;
  const base = { type: 'tool-call', id: call.toolCallId, name: call.toolName } as const;
  if (raw.trim() === '') return { ...base, arguments: {}, malformed: null };
  let value: unknown = parse(raw);
  if (typeof value === 'string') value = parse(value);
  if (value === null) return { ...base, arguments: {}, malformed: raw.trim() === 'null' ? null : raw };
  if (typeof value !== 'object' || Array.isArray(value)) return { ...base, arguments: {}, malformed: raw };
  return { ...base, arguments: value, malformed: null };
}

/** The JSON value, or null when it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
