/**
 * The note for a plan that a dead run may have left in the middle of a step (seed 000, product §7). Its words are
 * conditional: another worker may rightly be at it.
 */
import type { PlanStep } from '../schema';

export interface RecoveryFacts {
  tasks: readonly PlanStep[];
  revision: number;
  /** When the plan was last saved. */
  updatedAt: Date;
  /** The revision that was already noted, durably. */
  notedRevision: number | null;
  runStartedAt: Date;
  processStartedAt: Date;
  /** The one before, or one since the plan was last changed. */
  wasPreviousRunInterrupted: boolean;
  /** Another lease of the session is live: whoever holds it is at work. */
  isAnotherRunLive: boolean;
}

/** The note, or null when there is nothing to say. Once per (session, revision). */
export function recoveryNote(facts: RecoveryFacts): string | null {
  const { tasks, revision, updatedAt, notedRevision, runStartedAt, processStartedAt } = facts;
  if (notedRevision === revision || facts.isAnotherRunLive) return null;
  const index = tasks.findIndex((step) => step.status === 'in_progress');
  if (index === -1) return null;
  if (updatedAt >= runStartedAt) return null;
  if (updatedAt >= processStartedAt && !facts.wasPreviousRunInterrupted) return null;
  return (
    `Recovery: this plan was last changed at ${updatedAt.toISOString()} and step ${index + 1} is still 'in_progress'. ` +
    'If no run is working on it right now, a previous run stopped mid-step — check the actual state of its work before continuing.'
  );
}
