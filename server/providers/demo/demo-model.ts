/**
 * The built-in demo: a deterministic model that plans, calls the tools it is offered, thinks and streams, so that every
 * part of Navi can be seen and tested without a model. It is scripted and says so.
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { Clock } from '../../lib/clock';
import { ModelCallError } from '../types';
import { scenarios } from './scenarios';
import { callId, type DemoPart, promptTokens, readTurn } from './turn';

export const DEMO_MODEL_NAME = 'agent';

export interface DemoModelSettings {
  clock: Clock;
  /** Milliseconds after each word; 0 streams as fast as it is read. */
  wordDelayMs: number;
}

/** Creates the demo model. */
export function createDemoModel(settings: DemoModelSettings): LanguageModelV3 {
  const stream = (options: LanguageModelV3CallOptions) => streamOf(answer(settings, options));
  return {
    specificationVersion: 'v3',
    provider: 'demo',
    modelId: DEMO_MODEL_NAME,
    supportedUrls: {},
    doStream: async (options) => ({ stream: stream(options) }),
    async doGenerate(options) {
      let text = '';
      let finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | null = null;
      const calls: Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>[] = [];
      for await (const part of answer({ ...settings, wordDelayMs: 0 }, options)) {
        if (part.type === 'text-delta') text += part.delta;
        if (part.type === 'tool-call') calls.push(part);
        if (part.type === 'error') throw part.error;
        if (part.type === 'finish') finish = part;
      }
      return {
        content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
        finishReason: finish?.finishReason ?? stop('stop'),
        usage: finish?.usage ?? usageOf(0, 0),
        warnings: [],
      };
    },
  };
}

const stop = (unified: 'stop' | 'tool-calls' | 'length'): LanguageModelV3FinishReason => ({ unified, raw: unified });

function usageOf(inputTokens: number, outputTokens: number): LanguageModelV3Usage {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
  };
}

interface DemoOptions {
  think?: boolean;
  windowTokens?: number;
}

/** Plays one step of the scenario that the person's words choose. */
async function* answer(
  { clock, wordDelayMs }: DemoModelSettings,
  options: LanguageModelV3CallOptions,
): AsyncGenerator<LanguageModelV3StreamPart> {
  const own = (options.providerOptions?.demo ?? {}) as DemoOptions;
  const inputTokens = promptTokens(options);
  if (own.windowTokens !== undefined && inputTokens > own.windowTokens) {
    const sentence = `The conversation no longer fits the context window of \`${DEMO_MODEL_NAME}\`. Compress it or use a larger window.`;
    yield { type: 'error', error: new ModelCallError('context-overflow', sentence) };
    return;
  }
  const turn = readTurn(options);
  const scenario = scenarios.find((candidate) => candidate.matches(turn));
  const limitChars = (options.maxOutputTokens ?? Number.POSITIVE_INFINITY) * 4;
  let chars = 0;
  let calls = 0;
  for (const [index, part] of (scenario?.play(turn) ?? []).entries()) {
    if (part.kind === 'think' && own.think === false) continue;
    if (part.kind === 'fail') {
      yield { type: 'error', error: part.error };
      return;
    }
    if (part.kind === 'call') {
      const input = JSON.stringify(part.arguments);
      chars += input.length;
      yield { type: 'tool-call', toolCallId: callId(options, calls++), toolName: part.tool, input };
      continue;
    }
    for (const word of wordsOf(part)) {
      chars += word.length;
      if (chars > limitChars) {
        yield {
          type: 'finish',
          finishReason: stop('length'),
          usage: usageOf(inputTokens, options.maxOutputTokens ?? 0),
        };
        return;
      }
      // Thinking is skimmed, not read: it goes twice as fast.
      if (wordDelayMs > 0)
        await clock.sleep(part.kind === 'think' ? wordDelayMs / 2 : wordDelayMs, options.abortSignal);
      yield { type: part.kind === 'think' ? 'reasoning-delta' : 'text-delta', id: `${index}`, delta: word };
    }
  }
  const reason = calls > 0 ? stop('tool-calls') : stop('stop');
  yield { type: 'finish', finishReason: reason, usage: usageOf(inputTokens, Math.max(1, Math.ceil(chars / 4))) };
}

function wordsOf(part: Extract<DemoPart, { text: string }>): string[] {
  return part.text.split(/(?<=\s)(?=\S)/);
}

function streamOf(parts: AsyncGenerator<LanguageModelV3StreamPart>): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
