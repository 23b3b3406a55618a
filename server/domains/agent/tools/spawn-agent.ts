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
  const list = profiles.map(({ id }) => id).join(', ');
  return defineTool({
    name: SPAWN_TOOL,
    description:
      'Gives a self-contained task to a subagent with its own context and plan; it sees your files but nothing of this chat, and answers with its result. ' +
      `Up to ${SUBAGENT_LIMITS.atOnce} calls at once.`,
    // What it does in the world it does by calls of its own, which ask for themselves.
    class: 'read',
    input: z.object({
      task: z.string().trim().min(1).max(MAX_TEXT_CHARS).describe('what to do, and what the result must hold'),
      briefing: z.string().max(MAX_TEXT_CHARS).default('').describe('facts, paths, decisions, limits'),
      profile: z.string().max(100).optional().describe(`default yours; one of: ${list}`),
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
          parentEpoch: context.epoch,
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
