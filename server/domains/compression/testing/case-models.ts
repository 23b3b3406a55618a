/** Models, tools and histories for cases that were reported elsewhere. */
import type { ModelCallInput } from '../../../providers/types';
import { callTools, createScriptedModel, type Reply, type ScriptedModel } from '../../../testing/scripted-model';
import { createTestTool } from '../../../testing/test-tools';
import { history } from '../engine/testing/histories';
import { prose, textOf } from './talk';

/** A scripted model with a window of its own. */
export const withWindow = async (windowTokens: number | ((modelId: string) => number)) => {
  const scripted = createScriptedModel();
  const model = await scripted.models.defaultModel();
  const of = (id: string) => ({
    ...model,
    id,
    windowTokens: () => (typeof windowTokens === 'number' ? windowTokens : windowTokens(id)),
  });
  scripted.models = { ...scripted.models, defaultModel: async () => of(model.id), resolve: async (id) => of(id) };
  return scripted;
};
/** A tool whose description alone costs about so many tokens. */
export const heavyTool = (tokens: number) =>
  createTestTool('heavy', async () => ({ text: prose('output', 300) }), {
    description: prose('a tool', Math.floor(tokens * 3.5)),
  });
/** Counts as the estimate without a line does, so that both agree on the overhead. */
export const count = (input: ModelCallInput) =>
  Math.ceil(JSON.stringify(input.tools).length / 3.5 + textOf(input.prompt).length / 4);
export const counted = (reply: Reply): Reply =>
  async function* (input) {
    for await (const part of reply(input))
      yield part.type === 'finish' ? { ...part, usage: { inputTokens: count(input), outputTokens: 20 } } : part;
  };
/** The next calls that are not a summariser's ask for the heavy tool. Answers how many of them are still to come. */
export const stepsBefore = (model: ScriptedModel, steps: number) => {
  let left = steps;
  const then = model.fallback;
  model.fallback = (input) => {
    if (left === 0 || textOf(input.prompt).includes('<conversation>')) return then(input);
    left -= 1;
    return counted(callTools({ name: 'heavy' }))(input);
  };
  return () => left;
};

/** So many exchanges of about 2 × 900 characters, each about another subject. */
export function talked(turns: number) {
  const built = history();
  for (let turn = 1; turn <= turns; turn++) built.user(prose(`q${turn}`, 900)).assistant(prose(`a${turn}`, 900));
  return built;
}

/** Ids of calls without a result right behind them, and of results without a call. */
export function partedIn(call: ModelCallInput | undefined): string[] {
  const open = new Set<string>();
  const parted: string[] = [];
  for (const message of call?.prompt ?? []) {
    if (message.role !== 'tool') parted.push(...open);
    if (message.role !== 'tool') open.clear();
    if (typeof message.content === 'string') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') open.add(part.toolCallId);
      else if (part.type === 'tool-result' && !open.delete(part.toolCallId)) parted.push(part.toolCallId);
    }
  }
  return [...parted, ...open];
}
