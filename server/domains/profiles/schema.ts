/** Shapes of profiles: what a session runs under. Every switch that changes how the agent works stands here. */
import * as z from 'zod';
import { idSchema } from '../../lib/input-schemas';

export const approvalRuleSchema = z.enum(['ask', 'always', 'never']);

/** Which plan tools the agent is given: Navi's `todo`, or AgentPool's in one of its two modes. */
export const planToolsSchema = z.enum(['todo', 'declarative', 'granular']);
export type PlanToolsMode = z.infer<typeof planToolsSchema>;

export const planningSchema = z.object({
  /** Before every turn. A person can ask for it once in any profile (`/plan`). */
  isEnabled: z.boolean(),
  /** Looks at the task first and may answer that it needs no plan. */
  hasAnalysis: z.boolean(),
  /** Lets a critic, a pragmatist and a detailer look at it when the analysis asks for that. */
  hasReview: z.boolean(),
  /** Writes the plan. Without it the analysis is only logged. */
  hasPlan: z.boolean(),
});

export const disciplineSchema = z.object({
  planTools: planToolsSchema,
  /** Steps of a turn without a change of the plan after which the agent is told, and soon stopped. Null: never. */
  stallLimitSteps: z.int().min(2).nullable(),
  /** Steps after which the agent is reminded of what the person asked for. Null: never. */
  anchorEverySteps: z.int().min(2).nullable(),
  /** Most steps of one turn, below the server's own limit. Null: the server's. */
  stepBudget: z.int().min(1).nullable(),
  /** After a step of the plan failed, the agent is asked to change the rest of the plan. */
  replansAfterFailure: z.boolean(),
});

export const profileSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Byte-stable: it stands at the head of every prompt. */
  prompt: z.string(),
  /** `connection/model`; null follows the default. A session may override it. */
  model: z.string().nullable(),
  temperature: z.number().nullable(),
  think: z.boolean(),
  /** The profile's own window in tokens; null takes the connection's. */
  contextWindowTokens: z.int().nullable(),
  /** Names of the tools; null for every tool that is not off by default. */
  tools: z.array(z.string()).nullable(),
  /** Left out whatever `tools` says. */
  excludedTools: z.array(z.string()),
  /** Where it differs from the default policy. */
  approvals: z
    .object({ write: approvalRuleSchema, execute: approvalRuleSchema, network: approvalRuleSchema })
    .partial(),
  /** Where it differs from the server's settings (seed 004's names, in camel case). */
  compression: z.object({
    /** Recent turns that are kept verbatim. */
    keepRecentTurns: z.int().min(1).optional(),
    /** Longest summary in tokens. */
    summaryMaxTokens: z.int().min(1).optional(),
  }),
  /** Instructions of the summariser in place of ours (`compression_prompt_file`); null takes ours. */
  compressionPrompt: z.string().nullable(),
  planning: planningSchema,
  discipline: disciplineSchema,
});
export type Profile = z.infer<typeof profileSchema>;

export const profileIdInput = z.object({ profileId: idSchema() });
