/**
 * One compression from the look at the context to its end, the same for all four triggers. The machine says what comes
 * next; this file does it. The model is called outside of any transaction; every write carries the run's fence, so a run
 * that was settled elsewhere writes nothing more.
 */
import type { UnitOfWork } from '../../database/transaction';
import { type EventLog, LeaseLostError } from '../../events/log';
import type { Clock } from '../../lib/clock';
import type { ResolvedModel } from '../../providers/types';
import type { Attachment, Message } from '../messages/schema';
import type { MessageService } from '../messages/service';
import {
  type Applier,
  type CompressionJob,
  type MemoryOfCompression,
  type Replacement,
  replacementOf,
  StopRequestedError,
} from './apply';
import { weighWaiting } from './engine/admit-images';
import { measureChange } from './engine/apply';
import { type Decision, type DecisionInput, decideCompression, planFor, type SkipReason } from './engine/decide';
import { hardTruncate } from './engine/hard-truncate';
import {
  type CompressionResult,
  type CompressionState,
  idle,
  isFinal,
  nextStep,
  reduceCompression,
} from './engine/machine';
import { type CompressionOverrides, type CompressionTrigger, withOverrides } from './engine/settings';
import type { ContextMeterService, ContextReading, MeterSubject } from './meter';
import type { Compression, CompressionPhase } from './schema';
import type { Summarise } from './summarise';

/** Who asks for a compression of what. */
export interface CompressionRequest {
  subject: MeterSubject;
  trigger: CompressionTrigger;
  overrides: CompressionOverrides;
  /** As the caller read it just now; left out, it is read. */
  context?: readonly Message[] | undefined;
  /** Images in it that are to be decided on once this has made room. */
  waitingImages?: readonly Attachment[] | undefined;
}

/** What a look at the context found. */
export interface Prospect {
  reading: ContextReading;
  decision: Decision;
  input: DecisionInput;
}

export interface CarryOutOptions {
  model: ResolvedModel;
  customPrompt: string | null;
  signal: AbortSignal;
}

export type CompressionOutcome =
  /** `reading` is what the decision rests on, while it still holds. */
  | { kind: 'skipped'; reason: SkipReason; reading: ContextReading | null }
  | { kind: 'ended'; compression: Compression }
  /** The session or the compression was gone when it came to writing. */
  | { kind: 'lost' };

/** Reasons that a person need not be told of in the chat: they know, or somebody else will say it. */
const silentReasons: ReadonlySet<string> = new Set(['cancelled', 'context-changed', 'nothing-to-compress']);
/** Reasons that say nothing about the next attempt. */
const passingReasons: ReadonlySet<string> = new Set(['cancelled', 'context-changed', 'store-failed']);

export function createPipeline(dependencies: {
  meter: ContextMeterService;
  applier: Applier;
  summarise: Summarise;
  /** Price of an attached image, in tokens. */
  imageTokens(image: Attachment): number;
  messages: MessageService;
  memory: Pick<MemoryOfCompression, 'breadcrumbs'>;
  unitOfWork: UnitOfWork;
  events: EventLog;
  clock: Clock;
  reportUnexpected(error: unknown): void;
}) {
  const { meter, applier, summarise, messages, memory, unitOfWork, events, clock, reportUnexpected } = dependencies;
  const { imageTokens } = dependencies;

  /** Reads and decides. Announces nothing: what this answers is what a compression would do. */
  async function look(request: CompressionRequest): Promise<Prospect> {
    const { subject, trigger } = request;
    const context = request.context ?? (await messages.readContext(subject.sessionId));
    const reading = await meter.read(subject, context);
    const { triggerTokens, fixedTokens } = reading;
    const waiting = (request.waitingImages ?? []).map((image) => ({ id: image.id, tokens: imageTokens(image) }));
    const room = { windowTokens: subject.windowTokens, triggerTokens, contextTokens: reading.estimate.tokens };
    const input: DecisionInput = {
      trigger,
      settings: withOverrides(reading.settings, request.overrides),
      context,
      tokens: reading.estimate.tokens,
      waitingImages: weighWaiting(waiting, { ...room, fixedTokens }),
      fixedTokens,
      priceOf: reading.estimator.message,
      isTruncated: reading.state.isTruncated,
      breaker: reading.state.breaker,
      conditions: {
        windowTokens: subject.windowTokens,
        model: subject.model,
        profileId: subject.profileId,
        toolsFingerprint: subject.frame.toolsFingerprint,
        contextTokens: reading.estimate.tokens,
      },
    };
    return { reading, input, decision: decideCompression(input) };
  }

  /** Tokens of the whole prompt as it is, by the estimator that will also judge the result. */
  const tokensOf = ({ reading }: Prospect): number => reading.fixedTokens + reading.estimator.messages(reading.context);

  async function tell(job: CompressionJob, phase: CompressionPhase, attempt: number, part?: number, parts?: number) {
    const { refused } = await events.appendMany([
      {
        sessionId: job.sessionId,
        epoch: job.epoch,
        event: {
          kind: 'compression-progress',
          compressionId: job.id,
          phase,
          attempt,
          part: part ?? null,
          parts: parts ?? null,
        },
      },
    ]);
    if (refused.length > 0) throw new LeaseLostError(job.sessionId);
  }

  function measure(prospect: Prospect, replacement: Replacement): { tokensBefore: number; tokensAfter: number } {
    const { reading } = prospect;
    const summary = {
      content: replacement.content,
      isSummary: true,
      toolCalls: null,
      files: null,
      images: null,
      metadata: {},
    };
    return measureChange({
      context: reading.context,
      change: { ...replacement },
      fixedTokens: reading.fixedTokens,
      summaryTokens: reading.estimator.message(summary),
      priceOf: reading.estimator.message,
    });
  }

  /** One attempt of the summariser, as the machine wants to hear of it. */
  async function attemptSummary(
    job: CompressionJob,
    prospect: Prospect,
    plan: Extract<CompressionState, { name: 'summarising' }>,
    options: CarryOutOptions,
  ): Promise<CompressionState> {
    const { reading, input } = prospect;
    const attempt = plan.attempt;
    try {
      const verdict = await summarise({
        sessionId: job.sessionId,
        plan: plan.plan,
        model: options.model,
        windowTokens: input.conditions.windowTokens,
        settings: input.settings,
        estimator: reading.estimator,
        customPrompt: options.customPrompt,
        focus: job.focus,
        isOverWindow: input.tokens > input.conditions.windowTokens || input.isTruncated,
        signal: options.signal,
        onPart: (part, parts) => tell(job, 'summarising', attempt, part, parts),
      });
      if (!verdict.isValid) return reduceCompression(plan, { type: 'summarised', verdict, tokensAfter: 0 });
      const result: CompressionResult = { method: 'summary', plan: plan.plan, summary: verdict };
      const { tokensAfter } = measure(prospect, replacementOf(result, memory));
      return reduceCompression(plan, { type: 'summarised', verdict, tokensAfter });
    } catch (error) {
      if (options.signal.aborted || error instanceof LeaseLostError) throw error;
      return reduceCompression(plan, { type: 'summariser-failed' });
    }
  }

  async function write(
    job: CompressionJob,
    prospect: Prospect,
    applying: Extract<CompressionState, { name: 'applying' }>,
    startedAt: Date,
  ): Promise<{ compression: Compression | null; state: CompressionState }> {
    const replacement = replacementOf(applying.result, memory);
    try {
      const compression = await unitOfWork.run((tx) =>
        applier
          .apply(tx, job, {
            result: applying.result,
            replacement,
            reading: prospect.reading,
            tokensBefore: applying.tokensBefore,
            tokensAfter: applying.tokensAfter,
            faults: applying.faults,
            conditions: prospect.input.conditions,
            startedAt,
          })
          // Nothing of it may stay when the context was not what it was planned for.
          .then((applied) => applied ?? Promise.reject(new ContextChanged())),
      );
      return { compression, state: reduceCompression(applying, { type: 'applied' }) };
    } catch (error) {
      if (error instanceof LeaseLostError || error instanceof StopRequestedError) throw error;
      const isChanged = error instanceof ContextChanged;
      if (!isChanged) reportUnexpected(error);
      const reason = isChanged ? 'context-changed' : 'store-failed';
      return { compression: null, state: reduceCompression(applying, { type: 'not-applied', reason }) };
    }
  }

  /**
   * Carries a begun compression to its end. Throws `LeaseLostError` when the run was settled elsewhere, and the signal's
   * reason when it aborts or will abort; the compression has then ended as well.
   */
  async function carryOut(
    job: CompressionJob,
    prospect: Prospect,
    options: CarryOutOptions,
  ): Promise<CompressionOutcome> {
    const { input } = prospect;
    const startedAt = clock.now();
    let state = reduceCompression(idle, {
      type: 'begin',
      facts: {
        trigger: job.trigger,
        tokensBefore: tokensOf(prospect),
        mayTruncate: input.tokens >= prospect.reading.triggerTokens || input.isTruncated,
        triggerTokens: prospect.reading.triggerTokens,
      },
    });
    let written: Compression | null = null;
    try {
      while (!isFinal(state)) {
        options.signal.throwIfAborted();
        const step = nextStep(state);
        if (step.do === 'plan') {
          const isFirst = !step.isWider && prospect.decision.kind === 'compress';
          const planned =
            isFirst && prospect.decision.kind === 'compress' ? prospect.decision.plan : planFor(input, step.isWider);
          state = reduceCompression(state, { type: 'planned', plan: planned.kind === 'plan' ? planned : null });
        } else if (step.do === 'summarise' && state.name === 'summarising') {
          state = await attemptSummary(job, prospect, state, options);
        } else if (step.do === 'truncate') {
          await tell(job, 'truncating', 2);
          const truncation = hardTruncate({
            context: input.context,
            windowTokens: input.conditions.windowTokens,
            fixedTokens: input.fixedTokens,
            priceOf: input.priceOf,
          });
          const replacement = replacementOf({ method: 'hard-truncate', truncation }, memory);
          const { tokensAfter } = measure(prospect, replacement);
          state = reduceCompression(state, { type: 'truncated', truncation, tokensAfter });
        } else if (step.do === 'apply' && state.name === 'applying') {
          const result = await write(job, prospect, state, startedAt);
          written = result.compression;
          state = result.state;
        } else break;
      }
    } catch (error) {
      const stop = error instanceof StopRequestedError ? error.reason : options.signal.reason;
      if (error instanceof LeaseLostError || stop === undefined) throw error;
      const faults = 'faults' in state ? state.faults : [];
      const ending = { reason: 'cancelled' as const, faults, hasCard: false, startedAt };
      // A lost lease ends it elsewhere: the settlement does.
      await unitOfWork
        .run((tx) => applier.fail(tx, job, ending))
        .catch((caught: unknown) => {
          if (!(caught instanceof LeaseLostError)) throw caught;
        });
      throw stop;
    }
    if (written !== null) return { kind: 'ended', compression: written };
    const reason = state.name === 'failed' ? state.reason : 'nothing-to-compress';
    const { conditions, fixedTokens } = input;
    const failed = await unitOfWork.run((tx) =>
      applier.fail(tx, job, {
        reason,
        faults: 'faults' in state ? state.faults : [],
        hasCard: !silentReasons.has(reason),
        startedAt,
        ...(passingReasons.has(reason) || job.trigger === 'forced'
          ? {}
          : { breaker: { fixedTokens, triggerTokens: prospect.reading.triggerTokens, conditions } }),
      }),
    );
    return failed === null ? { kind: 'lost' } : { kind: 'ended', compression: failed };
  }

  return {
    look,
    carryOut,

    factsOf: (prospect: Prospect) => ({
      model: prospect.input.conditions.model,
      windowTokens: prospect.input.conditions.windowTokens,
      tokensBefore: tokensOf(prospect),
      messagesBefore: prospect.reading.context.length,
    }),

    /**
     * The gate of a run before a model call: compresses when that is due. Answers `skipped` when it is not; then nothing was
     * written, but for the one card that says why nothing can be done (`fixed-overhead`).
     */
    async pass(
      request: CompressionRequest,
      run: { id: string; epoch: number },
      options: CarryOutOptions & { newId(): string },
    ): Promise<CompressionOutcome> {
      const prospect = await look(request);
      const { decision } = prospect;
      const job: CompressionJob = {
        id: options.newId(),
        sessionId: request.subject.sessionId,
        runId: run.id,
        epoch: run.epoch,
        trigger: request.trigger,
        focus: null,
      };
      const begin = async () => {
        await unitOfWork.run(async (tx) => {
          const started = await applier.begin(tx, job, this.factsOf(prospect));
          await events.append(tx, job.sessionId, started, job.epoch);
        });
      };
      if (decision.kind === 'compress') {
        await begin();
        return carryOut(job, prospect, options);
      }
      if (decision.breaker === undefined) {
        return { kind: 'skipped', reason: decision.reason, reading: prospect.reading };
      }
      await begin();
      const { conditions, fixedTokens } = prospect.input;
      await unitOfWork.run((tx) =>
        applier.fail(tx, job, {
          reason: 'fixed-overhead',
          faults: [],
          hasCard: true,
          startedAt: clock.now(),
          breaker: { fixedTokens, triggerTokens: prospect.reading.triggerTokens, conditions },
        }),
      );
      return { kind: 'skipped', reason: decision.reason, reading: null };
    },
  };
}

class ContextChanged extends Error {}

export type Pipeline = ReturnType<typeof createPipeline>;
