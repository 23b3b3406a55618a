import type { ModelUsage, ResolvedModel } from '../../providers/types';
import type { TurnEnd } from '../messages/schema';
import type { Profile } from '../profiles/schema';
import { type DisciplineState, initialDiscipline } from './planning/engine/discipline';

/** A run that this process claimed: what every part of the agent passes around. */
export interface Run {
  id: string;
  sessionId: string;
  /** Owner of the session; null for none. */
  userId: string | null;
  /** The fence of every write. */
  epoch: number;
  model: ResolvedModel;
  /** As the session had it when the turn began. */
  profile: Profile;
  /** Resolved once per turn (product §4), in tokens. */
  windowTokens: number;
  startedAt: Date;
  /**
   * `resume` goes on with a turn that was cut off; no new user message stands at its end. `compression` compresses the
   * context between two turns.
   */
  kind: 'turn' | 'resume' | 'compression';
  /** What a run of kind compression makes. */
  compression: { id: string; trigger: 'forced' | 'postturn'; focus: string | null } | null;
  afterSequence: number;
}

/** Why a run is being aborted. */
export type AbortReason = 'stop' | 'shutdown' | 'lease-lost';

export class RunAborted extends Error {
  override readonly name = 'RunAborted';
  constructor(readonly reason: AbortReason) {
    super(`the run was aborted: ${reason}`);
  }
}

/** What a run has done so far: the partial step, and the sums of its turn. */
export interface RunProgress {
  step: number;
  text: string;
  thinking: string;
  thinkingStartedAt: number | null;
  thinkingMs: number;
  toolCalls: number;
  tokensIn: number | null;
  tokensOut: number | null;
  contextTokens: number;
  /** Of the newest assistant message of this run; its row carries the turn's numbers. */
  lastAssistantSequence: number | null;
  /** What the run has seen of its plan; `found`: the version that it began with, null until it looked. */
  plan: {
    found: { revision: number; updatedAt: Date } | null;
    seenRevision: number | null;
    discipline: DisciplineState;
  };
}

export function createProgress(): RunProgress {
  return {
    step: 0,
    text: '',
    thinking: '',
    thinkingStartedAt: null,
    thinkingMs: 0,
    toolCalls: 0,
    tokensIn: null,
    tokensOut: null,
    contextTokens: 0,
    lastAssistantSequence: null,
    plan: { found: null, seenRevision: null, discipline: initialDiscipline },
  };
}

/** Adds one call's usage; a provider that counted nothing leaves the sums as they are. */
export function addUsage(progress: RunProgress, usage: ModelUsage): void {
  if (usage.inputTokens !== null) progress.tokensIn = (progress.tokensIn ?? 0) + usage.inputTokens;
  if (usage.outputTokens !== null) progress.tokensOut = (progress.tokensOut ?? 0) + usage.outputTokens;
}

export function toTurnEnd(run: Run, progress: RunProgress, now: Date): TurnEnd {
  return {
    elapsedSeconds: Math.round((now.getTime() - run.startedAt.getTime()) / 100) / 10,
    toolCalls: progress.toolCalls,
    tokensIn: progress.tokensIn,
    tokensOut: progress.tokensOut,
    contextTokens: progress.contextTokens,
    windowTokens: run.windowTokens,
    model: run.model.id,
  };
}
