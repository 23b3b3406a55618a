/** Lets a language model of the AI SDK's interface answer a scripted model's calls: no time-outs, no retries. */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelPart } from '../providers/types';
import type { Reply } from './scripted-model';

export function createDemoCaller(language: LanguageModelV3): Reply {
  return async function* ({ prompt, tools, signal }): AsyncGenerator<ModelPart> {
    const { content, usage } = await language.doGenerate({ prompt, tools, abortSignal: signal });
    let calls = 0;
    for (const part of content) {
      if (part.type === 'text') yield { type: 'text-delta', text: part.text };
      if (part.type === 'tool-call') {
        calls += 1;
        const { toolCallId: id, toolName: name, input } = part;
        yield { type: 'tool-call', id, name, arguments: JSON.parse(input), malformed: null };
      }
    }
    yield {
      type: 'finish',
      reason: calls > 0 ? 'tool-calls' : 'stop',
      usage: { inputTokens: usage.inputTokens.total ?? null, outputTokens: usage.outputTokens.total ?? null },
    };
  };
}
