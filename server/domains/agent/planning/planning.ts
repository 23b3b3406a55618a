/**
 * The planning phase of a turn: analysis, review, plan, each one model call without tools. What comes of it is a plan card in
 * the transcript and the filled plan; the card is shown and stays out of the context, where the reminder carries the steps.
 * Each call sees the plan as it stands, so that work under way is planned on and not over.
 * It is a part of its run: a stop, a crash or a failing model ends it as they end every other part.
 */
import type { UnitOfWork } from '../../../database/transaction';
import type { DeltaTarget, DeltaWriter } from '../../../events/delta-writer';
import type { EventLog } from '../../../events/log';
import type { StoredEvent } from '../../../events/topics';
import type { Clock } from '../../../lib/clock';
import { AppError } from '../../../lib/errors';
import type { Person } from '../../../lib/person';
import type { CallModel, ModelUsage } from '../../../providers/types';
import type { Message } from '../../messages/schema';
import type { MessageService } from '../../messages/service';
import type { Profile } from '../../profiles/schema';
import type { SessionService } from '../../sessions/service';
import { fillFromPlanning } from '../../todos/engine/plan';
import type { TodoService } from '../../todos/service';
import type { Attachments } from '../attachments';
import { buildPrompt } from '../engine/build-prompt';
import { frameOf } from '../frame';
import type { ContextGate } from '../gate';
import type { PlanNoticesReader } from '../plan-notices';
import { addUsage, type Run, type RunProgress } from '../run';
import { formatPlanCard, type ParsedPlan, parseAnalysis, parsePlan } from './engine/parse';
import { type PlanningMaterial, type PlanningPhase, phaseLabels, planningPrompt } from './engine/prompts';
import type { PlanningLog, PlanningOutcome, PlanningStore } from './planning-store';

export interface PlanningDependencies {
  store: PlanningStore;
  sessions: SessionService;
  messages: MessageService;
  todos: TodoService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  deltas: DeltaWriter;
  callModel: CallModel;
  clock: Clock;
  /** Compresses first when the context is too large, as before every other call. */
  gate: ContextGate;
  attachments: Attachments;
  planNotices: Pick<PlanNoticesReader, 'forPlanning'>;
  /** Tools that a run under the profile offers, and profiles that its subagents can have. */
  executorsOf(profile: Profile): Pick<PlanningMaterial, 'tools' | 'agents'>;
}

export interface PlanningInput {
  run: Run;
  profile: Profile;
  progress: RunProgress;
  signal: AbortSignal;
}

/** Longest line of a model's answer that is shown while it plans. */
const SHOWN_LINE_CHARS = 160;
const LISTED_LOGS = 50;

export function createPlanning(dependencies: PlanningDependencies) {
  const { store, sessions, messages, todos, unitOfWork, events, deltas, callModel, clock } = dependencies;
  const { gate, attachments, planNotices, executorsOf } = dependencies;

  /** The message to plan for, or null when there is nothing to plan. */
  async function findQuestion(
    { run, profile }: PlanningInput,
    context: readonly Message[],
  ): Promise<{ sequence: number; isAskedFor: boolean } | null> {
    const question = context.findLast((message) => message.role === 'user' && !message.isSummary);
    if (question === undefined) return null;
    const isAskedFor = question.metadata.plan === true;
    if (!isAskedFor && !profile.planning.isEnabled) return null;
    if (run.kind === 'resume') {
      const hasBegun = context.some(
        ({ role, sequenceNumber }) => role === 'assistant' && sequenceNumber > question.sequenceNumber,
      );
      if (hasBegun || (await store.isDone(run.sessionId, question.sequenceNumber))) return null;
    }
    return { sequence: question.sequenceNumber, isAskedFor };
  }

  /** One model call. Its answer is logged and what it says is shown line by line while it comes. */
  async function runPhase(
    input: PlanningInput,
    { logId, phase, material }: { logId: number; phase: PlanningPhase; material: Omit<PlanningMaterial, 'isUnderWay'> },
  ): Promise<string> {
    const { run, profile, progress, signal } = input;
    const target: DeltaTarget = { sessionId: run.sessionId, runId: run.id, epoch: run.epoch, step: progress.step };
    const status = (state: 'running' | 'done', text: string): StoredEvent => ({
      kind: 'planning-status',
      runId: run.id,
      phase,
      state,
      text,
    });
    const startedAtMs = clock.now().getTime();
    await unitOfWork.run((tx) => events.append(tx, run.sessionId, [status('running', phaseLabels[phase])], run.epoch));
    const { notices, isUnderWay } = await planNotices.forPlanning(run, progress);
    const tailNotices = [...notices, planningPrompt(phase, { ...material, isUnderWay })];
    // Not the turn's first step: what memory brings back belongs to that one.
    const frame = frameOf(profile, tailNotices, []);
    const ready = await gate.open({ run, profile, frame, isFirstStep: false, signal });
    let output = '';
    let thinking = '';
    let shownUpTo = 0;
    let usage: ModelUsage = { inputTokens: null, outputTokens: null };
    const parts = callModel({
      model: run.model,
      windowTokens: run.windowTokens,
      prompt: buildPrompt({
        systemPrompt: profile.prompt,
        context: ready.context,
        attachments: await attachments.forPrompt(run.sessionId, run.model, ready.context, { withBytes: true }),
        tailNotices,
        view: ready.view,
      }),
      tools: [],
      temperature: profile.temperature,
      maxOutputTokens: null,
      think: profile.think,
      signal,
    });
    for await (const part of parts) {
      if (part.type === 'text-delta') {
        output += part.text;
        const end = output.lastIndexOf('\n');
        if (end > shownUpTo) {
          const line = output.slice(0, end).trimEnd().split('\n').pop()?.trim() ?? '';
          shownUpTo = end;
          if (line !== '') deltas.addEvent(target, status('running', line.slice(0, SHOWN_LINE_CHARS)));
        }
      } else if (part.type === 'thinking-delta') thinking += part.text;
      else if (part.type === 'finish') usage = part.usage;
      else if (part.type === 'retry') {
        const { attempt, delayMs, reason } = part;
        deltas.addEvent(target, {
          kind: 'retrying',
          runId: run.id,
          step: progress.step,
          attempt,
          delayMs: Math.round(delayMs),
          reason,
        });
      }
    }
    addUsage(progress, usage);
    await deltas.drain(run.sessionId);
    await unitOfWork.run(async (tx) => {
      await store.addPhase(tx, logId, {
        phase,
        prompt: tailNotices.join('\n\n'),
        output,
        thinking,
        durationMs: clock.now().getTime() - startedAtMs,
        tokensIn: usage.inputTokens,
        tokensOut: usage.outputTokens,
      });
      await events.append(tx, run.sessionId, [status('done', phaseLabels[phase])], run.epoch);
    });
    return output;
  }

  /** Ends the planning without a plan, saying why. */
  async function endWithout(
    { run }: PlanningInput,
    logId: number,
    outcome: Exclude<PlanningOutcome, 'running' | 'planned'>,
  ): Promise<void> {
    const texts = {
      direct: 'No plan needed',
      analysed: 'The task was looked at',
      unreadable: 'No usable plan came of it; going on without one',
    };
    const phase = outcome === 'unreadable' ? 'plan' : 'analysis';
    const state = outcome === 'unreadable' ? 'failed' : outcome === 'direct' ? 'direct' : 'done';
    await unitOfWork.run(async (tx) => {
      await store.end(tx, logId, outcome, null);
      const told: StoredEvent = { kind: 'planning-status', runId: run.id, phase, state, text: texts[outcome] };
      await events.append(tx, run.sessionId, [told], run.epoch);
    });
  }

  /** The card, the list and the end of the log in one transaction. */
  async function savePlan({ run, progress }: PlanningInput, logId: number, plan: ParsedPlan): Promise<void> {
    await todos.ready();
    await unitOfWork.run(async (tx) => {
      const session = await sessions.lockAny(tx, run.sessionId);
      if (session === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
      const card = await messages.append(tx, run.sessionId, [
        {
          role: 'assistant',
          content: formatPlanCard(plan),
          isPlan: true,
          isContext: false,
          metadata: { runId: run.id, step: 0, model: run.model.id, planSteps: plan.steps },
        },
      ]);
      const sequenceNumber = card.messages[0]?.sequenceNumber ?? 0;
      await store.end(tx, logId, 'planned', sequenceNumber);
      const snapshot = await todos.changeLocked(tx, session, 'plan', (current, change) =>
        fillFromPlanning(current, plan.steps, change),
      );
      const ready: StoredEvent = {
        kind: 'plan-ready',
        runId: run.id,
        sequenceNumber,
        revision: snapshot.revision,
        stepCount: plan.steps.length,
      };
      await events.append(tx, run.sessionId, [...card.events, ready], run.epoch);
      const { found, discipline } = progress.plan;
      progress.plan = { found, seenRevision: snapshot.revision, discipline: { ...discipline, isInUse: true } };
    });
  }

  return {
    /** Plans when the profile or the person asks for it. Throws what model calls and aborted runs throw. */
    async run(input: PlanningInput): Promise<void> {
      const { run, profile, signal } = input;
      const { planning } = profile;
      const context = await messages.readContext(run.sessionId);
      const question = await findQuestion(input, context);
      if (question === null) return;
      const { isAskedFor } = question;
      const logId = await unitOfWork.run((tx) =>
        store.insert(tx, { sessionId: run.sessionId, runId: run.id, afterSequence: question.sequence }),
      );
      const material: Omit<PlanningMaterial, 'isUnderWay'> = {
        isAskedFor,
        analysis: null,
        review: null,
        ...executorsOf(profile),
      };
      const ask = (phase: PlanningPhase) => {
        signal.throwIfAborted();
        return runPhase(input, { logId, phase, material });
      };

      if (planning.hasAnalysis) {
        const analysis = parseAnalysis(await ask('analysis'));
        // A person who asks for a plan gets one.
        if (analysis.isDirect && !isAskedFor) return await endWithout(input, logId, 'direct');
        if (!analysis.isDirect) {
          material.analysis = analysis.text;
          if (planning.hasReview && analysis.needsReview) material.review = (await ask('review')).trim();
        }
      }
      if (!planning.hasPlan && !isAskedFor) return await endWithout(input, logId, 'analysed');
      const plan = parsePlan(await ask('plan'), {
        tools: material.tools,
        agents: material.agents.map(({ id }) => id),
      });
      if (plan === null) return await endWithout(input, logId, 'unreadable');
      await savePlan(input, logId, plan);
    },

    /** The planning view: what was asked and answered, newest first. */
    async listLogs(person: Person, sessionId: string): Promise<{ items: PlanningLog[] }> {
      await sessions.authorise(person, sessionId);
      return { items: await store.list(sessionId, LISTED_LOGS) };
    },
  };
}

export type Planning = ReturnType<typeof createPlanning>;
