/**
 * What stands before every model call: compression where it is due, the decision on images that wait, excerpts from memory
 * at the beginning of a turn, and the check that the prompt leaves room for an answer.
 */
import type { UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import { AppError } from '../../lib/errors';
import { fitMessageBudget } from '../compression/engine/size-guard';
import { truncateView } from '../compression/engine/truncate-view';
import type { AnsweredCall, ContextReading, MeterSubject, PromptFrame } from '../compression/meter';
import type { CompressionService } from '../compression/service';
import type { MemoryService } from '../memory/service';
import type { Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { Profile } from '../profiles/schema';
import type { SessionService } from '../sessions/service';
import type { Attachments } from './attachments';
import { recallText } from './recall-text';
import type { Run } from './run';

/** A context that may be sent, and what is known of its size. */
export interface ReadyContext extends Pick<AnsweredCall, 'subject' | 'isNarrowed'> {
  context: readonly Message[];
  reading: ContextReading;
  /** What the model is shown of one message's text. */
  view(text: string): string;
}

export interface ContextGateDependencies {
  compressions: Pick<CompressionService, 'pass' | 'meter'>;
  memory: Pick<MemoryService, 'recall' | 'forgetRecalls' | 'settings'>;
  attachments: Pick<Attachments, 'waiting' | 'admit'>;
  sessions: SessionService;
  messages: MessageService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  newId(): string;
}

/** Share of the window that recalled excerpts may take. */
const RECALL_SHARE = 0.1;
/** Characters of recalled excerpts, whatever the window. */
const MAX_RECALL_CHARS = 4_000;

/** What a call of a run is measured as. */
function subjectOf(run: Run, profile: Profile, frame: PromptFrame): MeterSubject {
  const { sessionId, windowTokens, model } = run;
  return { sessionId, profileId: profile.id, model: model.id, windowTokens, frame };
}

export function createContextGate(dependencies: ContextGateDependencies) {
  const { compressions, memory, attachments, sessions, messages, unitOfWork, events, newId } = dependencies;
  const { meter } = compressions;

  /** Brings excerpts of compressed history back that speak of the newest message. True when something was added. */
  async function recall(run: Run, reading: ContextReading): Promise<boolean> {
    const { context, estimator } = reading;
    if (!memory.settings.isRecallEnabled || !context.some((message) => message.isSummary)) return false;
    const request = context.findLast((message) => message.role === 'user' && !message.isSummary);
    if (request === undefined || request.content.trim() === '') return false;
    const room = Math.min(run.windowTokens * RECALL_SHARE, reading.limitTokens - reading.estimate.tokens);
    const budgetChars = Math.min(MAX_RECALL_CHARS, Math.floor(room / estimator.tokensPerChar));
    if (budgetChars < 100) return false;
    const session = await sessions.findAny(run.sessionId);
    if (session === null) return false;
    const excerpts = await memory.recall(session, { text: request.content, context, budgetChars });
    if (excerpts.length === 0) return false;
    await unitOfWork.run(async (tx) => {
      const appended = await messages.append(tx, run.sessionId, [
        {
          role: 'system',
          content: recallText(excerpts),
          metadata: {
            source: 'memory_recall',
            runId: run.id,
            chunkIds: [...new Set(excerpts.flatMap((excerpt) => excerpt.chunkIds))],
            excerpts: excerpts.map(({ firstSequence, lastSequence, startedAt, endedAt, text, similarity }) => ({
              firstSequence,
              lastSequence,
              startedAt,
              endedAt,
              text,
              similarity,
            })),
          },
        },
      ]);
      await memory.forgetRecalls(tx, run.sessionId, [...context, ...appended.messages]);
      await events.append(tx, run.sessionId, appended.events, run.epoch);
    });
    return true;
  }

  /** The view that fits: the usual one, or one in which long messages are cut shorter. Throws when none does. */
  async function guard(subject: MeterSubject, reading: ContextReading): Promise<{ budget: number; tokens: number }> {
    const { limitTokens, estimate, messageBudgetTokens } = reading;
    if (estimate.tokens <= limitTokens) return { budget: messageBudgetTokens, tokens: estimate.tokens };
    const priceWith = await meter.tokensWith(subject, reading.context);
    // The baseline may know better than the line: what it says of the usual view holds in proportion for a narrower one.
    const factor = estimate.tokens / Math.max(1, priceWith(messageBudgetTokens));
    const tokensWith = (budget: number) => Math.ceil(priceWith(budget) * factor);
    const budget = fitMessageBudget(messageBudgetTokens, limitTokens, tokensWith);
    if (budget !== null) return { budget, tokens: tokensWith(budget) };
    const count = (tokens: number) => tokens.toLocaleString('en');
    throw new AppError(
      'context-overflow',
      `This chat needs about ${count(estimate.tokens)} tokens, and the window of ${count(subject.windowTokens)} leaves room for ${count(limitTokens)} beside an answer. Use a model or profile with a larger window, switch tools off, or begin a new chat.`,
      { details: { tokens: estimate.tokens, limitTokens, windowTokens: subject.windowTokens } },
    );
  }

  /** The size of what cannot be sent: no answer will count it, and the meter would go on showing an older one. */
  async function tellSize(run: Run, { estimate }: ContextReading): Promise<void> {
    const measured = { contextTokenCount: estimate.tokens, contextTokenSource: estimate.source };
    await unitOfWork.run(async (tx) => {
      await sessions.update(tx, run.sessionId, measured);
      const changes = { ...measured, contextWindow: run.windowTokens };
      await events.append(tx, run.sessionId, [{ kind: 'session-updated', changes }], run.epoch);
    });
  }

  return {
    /**
     * Makes the context ready for the next call of a run. Throws `context-overflow` in words for people when no view of it
     * fits, the signal's reason when it aborts, `LeaseLostError` when the run was settled elsewhere.
     */
    async open(input: {
      run: Run;
      profile: Profile;
      frame: PromptFrame;
      isFirstStep: boolean;
      /** As it was read just now; left out, it is read. */
      context?: readonly Message[] | undefined;
      signal: AbortSignal;
    }): Promise<ReadyContext> {
      const { run, profile, frame, isFirstStep, signal } = input;
      const { sessionId } = run;
      const context = input.context ?? (await messages.readContext(sessionId));
      const waitingImages = await attachments.waiting(run, context);
      const subject = subjectOf(run, profile, frame);
      const passed = await compressions.pass(
        {
          subject,
          trigger: isFirstStep ? 'preturn' : 'midturn',
          overrides: profile.compression,
          context,
          waitingImages,
        },
        run,
        { model: run.model, customPrompt: profile.compressionPrompt, signal, newId },
      );
      let reading = passed.kind === 'skipped' ? passed.reading : null;
      reading ??= await meter.read(subject, await messages.readContext(sessionId));
      const admitted = await attachments.admit(run, reading);
      if (admitted !== reading.context) reading = await meter.read(subject, admitted);
      if (isFirstStep && run.kind === 'turn' && (await recall(run, reading))) {
        reading = await meter.read(subject, await messages.readContext(sessionId));
      }
      const sized = reading;
      const { budget, tokens } = await guard(subject, sized).catch(async (error: unknown) => {
        await tellSize(run, sized);
        throw error;
      });
      return {
        subject,
        context: reading.context,
        reading: { ...reading, estimate: { ...reading.estimate, tokens } },
        isNarrowed: budget < reading.messageBudgetTokens,
        view: (text) => truncateView(text, budget),
      };
    },
  };
}

export type ContextGate = ReturnType<typeof createContextGate>;
