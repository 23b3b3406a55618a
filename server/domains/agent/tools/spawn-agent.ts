/** The tool `spawn_agent`: gives one task to a subagent and answers with its result. */
import * as z from 'zod';
import { AppError } from '../../../lib/errors';
import type { Profile } from '../../profiles/schema';
import { SPAWN_TOOL, SUBAGENT_LIMITS } from '../subagents/as-subagent';
import type { SubagentResult, Subagents } from '../subagents/subagents';
import { defineTool, type Tool, ToolError } from './types';

const MAX_TEXT_CHARS = 20_000;

export function createSpawnAgentTool({
  subagents,
  profiles,
}: {
  subagents: Subagents;
  profiles: readonly Pick<Profile, 'id' | 'description'>[];
}): Tool {
  const list = profiles.map(({ id, description }) => `${id} (${description})`).join('; ');
  return defineTool({
    name: SPAWN_TOOL,
    description:
      'Gives one self-contained task to a subagent that works with a context, a plan and notes of its own, and answers with its result. It sees nothing of this chat ' +
      `but what you write, and the same files. For work that would fill your context, or for up to ${SUBAGENT_LIMITS.atOnce} independent tasks at once. ` +
      `It has ${SUBAGENT_LIMITS.maxSteps} steps and ${SUBAGENT_LIMITS.minutes} minutes.`,
    // What it does in the world it does by calls of its own, which ask for themselves.
    class: 'read',
    input: z.object({
      task: z.string().trim().min(1).max(MAX_TEXT_CHARS).describe('what is to be done, and what the result must hold'),
      briefing: z
        .string()
        .max(MAX_TEXT_CHARS)
        .default('')
        .describe('everything it needs to know: facts, paths, decisions, limits'),
      profile: z.string().max(100).optional().describe(`the profile it runs under, default yours. There are: ${list}`),
    }),
    // Longer than the subagent's own limit: that one ends it in an orderly way.
    timeoutMs: (SUBAGENT_LIMITS.minutes + 1) * 60_000,
    resultLimitChars: 30_000,
    isCompressionCritical: false,
    maxParallel: SUBAGENT_LIMITS.atOnce,
    async run({ task, briefing, profile }, context) {
      let result: SubagentResult;
      try {
        result = await subagents.run({
          parentSessionId: context.sessionId,
          userId: context.userId,
          toolCallId: context.toolCallId,
          task,
          briefing,
          profileId: profile,
          signal: context.signal,
          onProgress: (text, childSessionId) => context.reportProgress(text, { childSessionId }),
        });
      } catch (error) {
        if (error instanceof AppError) throw new ToolError(error.message);
        throw error;
      }
      const { text, status, error: _error, ...numbers } = result;
      const metadata = { ...numbers, subagentStatus: status };
      if (status === 'done' && text !== '') return { text, metadata };
      const words = text === '' ? 'It said nothing.' : `What it said last:\n${text}`;
      throw new ToolError(`The subagent did not come to an end: ${reasonOf(result)} ${words}`, metadata);
    },
  });
}

function reasonOf({ status, isTimedOut, error }: SubagentResult): string {
  if (isTimedOut) return `it was stopped after ${SUBAGENT_LIMITS.minutes} minutes.`;
  if (status === 'failed') return error ?? 'it failed.';
  if (status === 'interrupted') return 'the server stopped.';
  return status === 'stopped' ? 'it was stopped.' : 'it ended without a result.';
}
