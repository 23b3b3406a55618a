/**
 * Compressions between two turns: asked for by a person, or due after a turn. Each is a run of kind compression, so the
 * session's lease, queue, stop and settlement hold for it as they do for a turn.
 */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import { AppError } from '../../lib/errors';
import type { ResolvedModel } from '../../providers/types';
import type { CompressionJob } from '../compression/apply';
import type { MeterSubject } from '../compression/meter';
import type { Prospect } from '../compression/pipeline';
import type { CompressionService } from '../compression/service';
import type { Profile } from '../profiles/schema';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import { frameOf } from './frame';
import type { Run } from './run';
import type { AgentStore } from './store';
import type { ToolRegistry } from './tools/registry';
import { selectTools } from './tools/select-tools';
import type { Turns } from './turns';

export interface CompactorDependencies {
  store: AgentStore;
  sessions: SessionService;
  compressions: CompressionService;
  turns: Turns;
  unitOfWork: UnitOfWork;
  events: EventLog;
  tools: ToolRegistry;
  profileOf(session: Pick<StoredSession, 'profileId' | 'parentId'>): Profile;
  settings: { switchedOnTools: readonly string[] };
  modelFor(session: { model: string | null; profileId: string }): Promise<ResolvedModel>;
  /** The notices of the next call, without claiming any. */
  peekNotices(sessionId: string): Promise<string[]>;
  newId(): string;
}

type Trigger = 'forced' | 'postturn';
type Subject = Pick<StoredSession, 'id' | 'profileId' | 'parentId'>;

export function createCompactor(dependencies: CompactorDependencies) {
  const { store, sessions, compressions, turns, unitOfWork, events, tools, profileOf, settings } = dependencies;
  const { modelFor, peekNotices, newId } = dependencies;

  const offeredTools = (profile: Profile) => tools.describe(selectTools(tools, profile, settings.switchedOnTools));

  /** What the next call of a session would be measured as. */
  async function subjectOf(session: Subject, model: ResolvedModel): Promise<MeterSubject> {
    const profile = profileOf(session);
    return {
      sessionId: session.id,
      profileId: profile.id,
      model: model.id,
      windowTokens: model.windowTokens(profile.contextWindowTokens),
      frame: frameOf(profile, await peekNotices(session.id), offeredTools(profile)),
    };
  }

  async function look(session: Subject, model: ResolvedModel, trigger: Trigger): Promise<Prospect> {
    const subject = await subjectOf(session, model);
    return compressions.look({ subject, trigger, overrides: profileOf(session).compression });
  }

  const jobOf = (run: Run, compression: NonNullable<Run['compression']>): CompressionJob => ({
    ...compression,
    sessionId: run.sessionId,
    runId: run.id,
    epoch: run.epoch,
  });

  /** Claims the session for a compression and announces it. The caller holds the session's row; nothing is live. */
  async function claim(
    tx: Transaction,
    session: StoredSession,
    input: { model: ResolvedModel; prospect: Prospect; trigger: Trigger; focus: string | null },
  ): Promise<Run> {
    const { model, prospect, trigger, focus } = input;
    const compression = { id: newId(), trigger, focus };
    const claimed = await turns.claim(tx, session, {
      model,
      kind: 'compression',
      afterSequence: session.nextSequence - 1,
      compression,
    });
    const begun = await compressions.begin(tx, jobOf(claimed.run, compression), prospect);
    await events.append(tx, session.id, [...claimed.events, ...begun]);
    return claimed.run;
  }

  return {
    subjectOf,
    offeredTools,
    look,
    claim,

    /** Makes the compression that a run was claimed for. It ends in every case; only what aborts the run is thrown. */
    async execute(run: Run, signal: AbortSignal): Promise<'done'> {
      const { compression } = run;
      if (compression === null) return 'done';
      const job = jobOf(run, compression);
      // Between the look and the claim a turn may have run.
      const session = await sessions.findAny(run.sessionId);
      if (session === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
      const prospect = await look(session, run.model, compression.trigger);
      if (prospect.decision.kind === 'compress') {
        await compressions.carryOut(job, prospect, {
          model: run.model,
          customPrompt: run.profile.compressionPrompt,
          signal,
        });
        return 'done';
      }
      await unitOfWork.run((tx) =>
        compressions.fail(tx, job, {
          reason: 'nothing-to-compress',
          faults: [],
          hasCard: false,
          startedAt: run.startedAt,
        }),
      );
      return 'done';
    },

    /** Claims the compression that is due after a turn; null when none is, or the session went on meanwhile. */
    async claimPostturn(sessionId: string): Promise<Run | null> {
      const session = await sessions.findAny(sessionId);
      if (session === null) return null;
      const model = await modelFor(session);
      const prospect = await look(session, model, 'postturn');
      if (prospect.decision.kind === 'skip') return null;
      return unitOfWork.run(async (tx) => {
        const locked = await sessions.lockAny(tx, sessionId);
        if (locked === null || (await store.findLive(sessionId, tx.client)) !== null) return null;
        // The next turn has its own gate, and a person waits for it.
        if ((await store.readQueue(sessionId, tx.client)).length > 0) return null;
        return claim(tx, locked, { model, prospect, trigger: 'postturn', focus: null });
      });
    },

    /** Measures the context afresh and tells: after a switch of branch or model, and for a fork. */
    async refreshMeter(sessionId: string): Promise<void> {
      const session = await sessions.findAny(sessionId);
      if (session === null) return;
      const subject = await subjectOf(session, await modelFor(session));
      const { estimate } = await compressions.read(subject);
      await unitOfWork.run(async (tx) => {
        if ((await sessions.lockAny(tx, sessionId)) === null) return;
        const measured = { contextTokenCount: estimate.tokens, contextTokenSource: estimate.source };
        await sessions.update(tx, sessionId, measured);
        await events.append(tx, sessionId, [
          { kind: 'session-updated', changes: { ...measured, contextWindow: subject.windowTokens } },
        ]);
      });
    },
  };
}

export type Compactor = ReturnType<typeof createCompactor>;
