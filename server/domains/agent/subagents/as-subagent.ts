import type { Profile } from '../../profiles/schema';

/** Limits of one subagent (product §7). Upstream gave five minutes; local models need longer. */
export const SUBAGENT_LIMITS = {
  maxSteps: 40,
  minutes: 10,
  /** A person's session has depth 0; subagents of subagents are the last that may be started. */
  maxDepth: 2,
  /** Started by one step of one session and at work at the same time. */
  atOnce: 3,
} as const;

export const SPAWN_TOOL = 'spawn_agent';

const PROMPT = [
  'You are working as a subagent: another agent gave you one task and waits for your result. Nobody answers questions: decide, and say what you assumed.',
  'Your last message is the result. It must stand by itself: what you found or did, where it lies, how you checked it, what stays open.',
].join('\n');

/** A profile as a subagent has it: no planning phase, few steps, and no further subagents at the greatest depth. */
export function asSubagent(profile: Profile, depth: number): Profile {
  if (depth === 0) return profile;
  const { stepBudget } = profile.discipline;
  return {
    ...profile,
    prompt: `${profile.prompt}\n${PROMPT}`,
    excludedTools: depth >= SUBAGENT_LIMITS.maxDepth ? [...profile.excludedTools, SPAWN_TOOL] : profile.excludedTools,
    planning: { ...profile.planning, isEnabled: false },
    discipline: {
      ...profile.discipline,
      stepBudget: Math.min(stepBudget ?? SUBAGENT_LIMITS.maxSteps, SUBAGENT_LIMITS.maxSteps),
    },
  };
}
