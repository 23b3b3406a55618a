/**
 * What the scripted models say in crash series: answers of several steps with tools, every word of which is known, so that
 * whatever is stored or seen of them can be judged.
 */

import { monotonicMs } from '../../server/testing/wire-client';
import {
  type RecordedRequest,
  type Reply,
  type Step,
  startOllamaServer,
  startOpenAiServer,
  text,
  toolCall,
  wait,
} from '../fixtures/model-servers';

export interface Story {
  /** Unlike that of any other story of the series. */
  tag: string;
  steps: number;
  wordsPerStep: number;
  /** Milliseconds between two words. */
  pauseMs: number;
}

/** The user message that asks for a story. */
export const storyText = (story: Story): string => `story ${JSON.stringify(story)}`;
/** A message that is answered at once, and its answer. */
export const PING = 'ping';
export const PONG = 'pong';

const wordOf = (story: Story, step: number, index: number): string => `${story.tag}.${step}.${index} `;

/** The whole text of a step, 0 for the first. */
export const stepText = (story: Story, step: number): string =>
  Array.from({ length: story.wordsPerStep }, (_, index) => wordOf(story, step, index)).join('');

/** The story that a message asks for; of several messages in one, which is how unanswered ones reach a model, the last. */
export function parseStory(content: string): Story | null {
  const json = /story (\{[^{}]*\})$/.exec(content)?.[1];
  return json === undefined ? null : (JSON.parse(json) as Story);
}

export interface Storyteller {
  /** Settings that make a server ask this model, over one of the two wire formats. */
  env(format: 'ollama' | 'openai'): Record<string, string>;
  /** When a word left the model, by the monotonic clock; null when it did not. */
  sentAtMs(story: Story, step: number, index: number): number | null;
  close(): Promise<void>;
}

/** Starts both wire formats, each telling the same stories. */
export async function startStoryteller(): Promise<Storyteller> {
  const sentAt = new Map<string, number>();

  async function* tell(story: Story, step: number): AsyncGenerator<Step> {
    for (let index = 0; index < story.wordsPerStep; index++) {
      const word = wordOf(story, step, index);
      sentAt.set(word, monotonicMs());
      yield text(word);
      yield wait(story.pauseMs);
    }
    if (step === story.steps - 1) return;
    yield toolCall('current_time', {}, `${story.tag}-${step}-time`);
    yield toolCall(
      'scratchpad',
      { action: 'write', name: story.tag, content: `step ${step}` },
      `${story.tag}-${step}-note`,
    );
  }

  const script = (request: RecordedRequest): Reply => {
    const story = parseStory(request.lastUserText);
    // Pings; and the question for a name, which must not become one's answer.
    if (story === null) return PONG;
    const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
    const asked = request.messages.slice(lastUser).filter((message) => message.role === 'assistant').length;
    return tell(story, Math.min(asked, story.steps - 1));
  };
  const ollama = await startOllamaServer(script);
  const openAi = await startOpenAiServer(script);
  return {
    env: (format): Record<string, string> =>
      format === 'ollama'
        ? { OLLAMA_BASE_URL: ollama.baseUrl, NAVI_MODEL: 'ollama/qwen3' }
        : { OPENAI_BASE_URL: openAi.baseUrl, NAVI_MODEL: 'openai/gpt-test' },
    sentAtMs: (story, step, index) => sentAt.get(wordOf(story, step, index)) ?? null,
    async close() {
      await ollama.close();
      await openAi.close();
    },
  };
}
