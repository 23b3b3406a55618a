/**
 * The life of one run: open calls first, then step after step until the model asks for no more tools.
 *
 *   step = context → one model call → deltas into the log → the assistant message → its tool calls → their results
 *
 * The loop knows nothing of leases, queues or settlement: it writes through fenced transactions and throws when it is
 * aborted. Whoever started it (`runner.ts`) turns the outcome into the end of the run.
 */
import type { UnitOfWork } from '../../database/transaction';
import type { DeltaTarget, DeltaWriter } from '../../events/delta-writer';
import type { EventLog } from '../../events/log';
import { storable } from '../../lib/text';
import type { CallModel, FinishReason, ModelUsage } from '../../providers/types';
import type { CompressionService } from '../compression/service';
import type { Message, MessageMetadata, ToolCall } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { Profile } from '../profiles/schema';
import type { SessionService } from '../sessions/service';
import type { Attachments } from './attachments';
import { buildPrompt, promptText } from './engine/build-prompt';
import { callIdsOf, uniqueCallId } from './engine/call-ids';
import { wrapMalformed } from './engine/malformed';
import { findOpenCalls } from './engine/tool-pairs';
import { frameOf } from './frame';
import type { ContextGate, ReadyContext } from './gate';
import type { PlanNoticesReader } from './plan-notices';
import type { Planning } from './planning/planning';
import { addUsage, type Run, type RunProgress } from './run';
import type { AgentStore } from './store';
import type { ToolCallRunner } from './tool-calls';
import type { ToolRegistry } from './tools/registry';
import { selectTools } from './tools/select-tools';

export interface LoopDependencies {
  store: AgentStore;
  sessions: SessionService;
  messages: MessageService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  deltas: DeltaWriter;
  callModel: CallModel;
  tools: ToolRegistry;
  toolCalls: ToolCallRunner;
  gate: ContextGate;
  attachments: Attachments;
  meter: Pick<CompressionService['meter'], 'record'>;
  /** What the model is told of its plan right before a call: built fresh, stored nowhere. */
  planNotices: Pick<PlanNoticesReader, 'take' | 'confirm'>;
  /** What may come before the first step. */
  planning: Pick<Planning, 'run'>;
  settings: { maxSteps: number; switchedOnTools: readonly string[] };
}

/** `stalled`: the agent went on without its plan (`planning/engine/discipline`). */
export type LoopOutcome = 'done' | 'step-limit' | 'stalled';

/** A notice for a turn that goes on after it was cut off; built fresh, stored nowhere. */
const RESUME_NOTICE =
  'Your previous answer was cut off. Go on where it stopped, without repeating what already stands there.';

export function createLoop(dependencies: LoopDependencies) {
  const { store, sessions, messages, unitOfWork, events, deltas, callModel, tools, toolCalls, gate, meter } =
    dependencies;
  const { attachments, planNotices, planning, settings } = dependencies;

  /** Null when the run is to end because its plan stands still. */
  async function step(
    run: Run,
    profile: Profile,
    progress: RunProgress,
    signal: AbortSignal,
    maxSteps: number,
  ): Promise<ToolCall[] | null> {
    const offered = tools.describe(selectTools(tools, profile, settings.switchedOnTools));
    const stored = await messages.readContext(run.sessionId);
    const told = await planNotices.take({ run, profile, progress, context: stored, maxSteps });
    if (told.isStalled) return null;
    progress.step += 1;
    const takenIds = callIdsOf(stored);
    const idMark = stored.some((message) => message.isSummary) ? `-${run.id.slice(0, 8)}-${progress.step}` : '';
    const notices = [...(isCutOff(stored) ? [RESUME_NOTICE] : []), ...told.notices];
    const frame = frameOf(profile, notices, offered);
    let ready = await gate.open({
      run,
      profile,
      frame,
      isFirstStep: progress.step === 1,
      context: stored,
      signal,
    });
    const promptOf = async ({ context, view }: ReadyContext) =>
      buildPrompt({
        systemPrompt: profile.prompt,
        context,
        attachments: await attachments.forPrompt(run.sessionId, run.model, context, { withBytes: true }),
        tailNotices: notices,
        view,
      });
    let prompt = await promptOf(ready);
    const promptWithoutImages = async () => {
      const context = await attachments.admit(run, ready.reading);
      ready = { ...ready, context, reading: { ...ready.reading, context } };
      prompt = await promptOf(ready);
      return prompt;
    };
    await unitOfWork.run(async (tx) => {
      await store.setStep(tx, run.id, progress.step);
      await events.append(tx, run.sessionId, [{ kind: 'step-start', runId: run.id, step: progress.step }], run.epoch);
    });
    signal.throwIfAborted();

    const target: DeltaTarget = { sessionId: run.sessionId, runId: run.id, epoch: run.epoch, step: progress.step };
    const calls: ToolCall[] = [];
    let finish: { reason: FinishReason; usage: ModelUsage } | null = null;
    const parts = callModel({
      model: run.model,
      windowTokens: run.windowTokens,
      prompt,
      promptWithoutImages,
      tools: offered,
      temperature: profile.temperature,
      maxOutputTokens: null,
      think: profile.think,
      signal,
    });
    for await (const part of parts) {
      switch (part.type) {
        case 'text-delta':
          endThinking(progress);
          progress.text += part.text;
          deltas.add(target, 'text-delta', part.text);
          break;
        case 'thinking-delta':
          progress.thinkingStartedAt ??= performance.now();
          progress.thinking += part.text;
          deltas.add(target, 'thinking-delta', part.text);
          break;
        case 'tool-call':
          endThinking(progress);
          calls.push({
            id: uniqueCallId(part.id, takenIds, idMark),
            name: storable(part.name),
            arguments: part.malformed === null ? part.arguments : wrapMalformed(part.malformed),
          });
          takenIds.add(calls[calls.length - 1]?.id ?? '');
          break;
        case 'retry':
          deltas.addEvent(target, {
            kind: 'retrying',
            runId: run.id,
            step: progress.step,
            attempt: part.attempt,
            delayMs: Math.round(part.delayMs),
            reason: part.reason,
          });
          break;
        case 'finish':
          finish = { reason: part.reason, usage: part.usage };
          break;
      }
    }
    endThinking(progress);
    await deltas.drain(run.sessionId);
    const usage = finish?.usage ?? { inputTokens: null, outputTokens: null };
    addUsage(progress, usage);
    await saveStep({
      run,
      progress,
      calls,
      usage,
      ready,
      notedRevision: told.notedRevision,
      cutBy: cutByOf(finish?.reason),
      promptText: () => promptText(prompt),
    });
    return calls;
  }

  /** The step's assistant message, written with the events that tell of it; the partial text is a message from here on. */
  async function saveStep({
    run,
    progress,
    calls,
    usage,
    ready,
    notedRevision,
    cutBy,
    promptText,
  }: {
    run: Run;
    progress: RunProgress;
    calls: ToolCall[];
    usage: ModelUsage;
    ready: ReadyContext;
    /** The version of the plan whose recovery note this step was given. */
    notedRevision: number | null;
    cutBy: MessageMetadata['cutBy'];
    promptText(): string;
  }): Promise<void> {
    await unitOfWork.run(async (tx) => {
      const appended = await messages.append(tx, run.sessionId, [
        {
          role: 'assistant',
          content: progress.text,
          thinking: progress.thinking === '' ? null : progress.thinking,
          toolCalls: calls.length === 0 ? null : calls,
          tokenCount: usage.outputTokens,
          metadata: {
            runId: run.id,
            step: progress.step,
            model: run.model.id,
            ...(progress.thinking === '' ? {} : { thinkingMs: Math.round(progress.thinkingMs) }),
            // With calls the turn goes on, and the rest is said behind them.
            ...(cutBy === undefined || calls.length > 0 ? {} : { cutBy }),
          },
        },
      ]);
      const counted = await meter.record(tx, { ...ready, promptText, inputTokens: usage.inputTokens });
      // What was thought is not sent again: then the price of what was said stands for the count of the whole answer.
      const said = appended.messages[0];
      const isCounted = usage.outputTokens !== null && progress.thinking === '' && !counted.isTruncated;
      const answerTokens = isCounted || said === undefined ? usage.outputTokens : ready.reading.estimator.message(said);
      progress.contextTokens = counted.promptTokens + (answerTokens ?? 0);
      await sessions.update(tx, run.sessionId, {
        contextTokenCount: progress.contextTokens,
        contextTokenSource: counted.source,
      });
      if (notedRevision !== null) await planNotices.confirm(tx, run, notedRevision);
      await events.append(
        tx,
        run.sessionId,
        [
          ...appended.events,
          {
            kind: 'session-updated',
            changes: {
              contextTokenCount: progress.contextTokens,
              contextTokenSource: counted.source,
              contextWindow: run.windowTokens,
            },
          },
        ],
        run.epoch,
      );
      progress.lastAssistantSequence = appended.messages[0]?.sequenceNumber ?? progress.lastAssistantSequence;
    });
    progress.text = '';
    progress.thinking = '';
    progress.thinkingMs = 0;
  }

  /** Calls that an earlier run of the turn left open: those whose approval was asked and may be answered by now. */
  async function settleOpenCalls(
    run: Run,
    profile: Profile,
    progress: RunProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const tail = await messages.readContext(run.sessionId);
    const open = findOpenCalls(tail.slice(lastUserIndex(tail) + 1));
    if (open === null) return;
    progress.lastAssistantSequence = open.message.sequenceNumber;
    await toolCalls.runAll({
      run,
      profile,
      progress,
      signal,
      calls: open.calls,
      askedBy: open.message.metadata.runId ?? run.id,
    });
  }

  return {
    /**
     * Runs to the end of the turn. Throws `RunAborted` (the signal's reason), `LeaseLostError`, `ModelCallError`, or
     * whatever else went wrong; `progress` then holds what was said so far.
     */
    async execute(run: Run, profile: Profile, progress: RunProgress, signal: AbortSignal): Promise<LoopOutcome> {
      if (run.kind === 'resume') await settleOpenCalls(run, profile, progress, signal);
      await planning.run({ run, profile, progress, signal });
      const maxSteps = Math.min(settings.maxSteps, profile.discipline.stepBudget ?? settings.maxSteps);
      while (progress.step < maxSteps) {
        signal.throwIfAborted();
        const calls = await step(run, profile, progress, signal, maxSteps);
        if (calls === null) return 'stalled';
        if (calls.length === 0) return 'done';
        await toolCalls.runAll({ run, profile, progress, signal, calls, askedBy: run.id });
      }
      return 'step-limit';
    },
  };

  function endThinking(progress: RunProgress): void {
    if (progress.thinkingStartedAt === null) return;
    progress.thinkingMs += performance.now() - progress.thinkingStartedAt;
    progress.thinkingStartedAt = null;
  }
}

const cutByOf = (reason: FinishReason | undefined): MessageMetadata['cutBy'] =>
  reason === 'length' || reason === 'content-filter' ? reason : undefined;

/** Whether the context ends in an answer: only a resumed turn does, and it must be told to go on instead of to answer it. */
function isCutOff(context: readonly Message[]): boolean {
  const last = context[context.length - 1];
  return last?.role === 'assistant' && (last.toolCalls ?? []).length === 0;
}

function lastUserIndex(context: readonly Message[]): number {
  return context.findLastIndex((message) => message.role === 'user' && !message.isSummary);
}

export type Loop = ReturnType<typeof createLoop>;
