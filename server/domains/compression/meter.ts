/**
 * How large a context is, and what is learned of that from every call. Reads what is stored, prices it with the engine, and
 * writes observations; decides nothing.
 */
import type { Transaction } from '../../database/transaction';
import type { Attachment, Message } from '../messages/schema';
import { baselineOf, type ContextEstimate, estimateContext } from './engine/baseline';
import { type CalibrationObservation, calibrate, observationsWith, observe, type ToolLoad } from './engine/calibration';
import { createEstimator, type Estimator, sentImages } from './engine/message-price';
import { type CompressionSettings, triggerTokens } from './engine/settings';
import { outputReserve } from './engine/size-guard';
import { messageBudgetTokens } from './engine/truncate-view';
import { floorTokens, isPromptTruncated } from './engine/truncated-prompt';
import { isMemoryRecall } from './engine/turns';
import type { ContextMeter } from './schema';
import type { CompressionStore, ContextState } from './store';

/** What stands in a prompt beside messages, in characters. */
export interface PromptFrame {
  /** The profile's prompt. */
  systemChars: number;
  /** Reminders and notices of this call. */
  noticeChars: number;
  /** The tools' descriptions and schemas, as JSON. */
  toolChars: number;
  /** Changes whenever a tool is added, removed or described otherwise. */
  toolsFingerprint: string;
}

/** Whose context, for which model. */
export interface MeterSubject {
  sessionId: string;
  profileId: string;
  /** `connection/model`. */
  model: string;
  windowTokens: number;
  frame: PromptFrame;
}

export interface ContextReading {
  context: readonly Message[];
  state: ContextState;
  estimator: Estimator;
  /** Size of the next prompt. */
  estimate: ContextEstimate;
  /** Tokens that no compression removes: template, tools, profile prompt, notices. */
  fixedTokens: number;
  /** For this window (`settingsFor`). */
  settings: CompressionSettings;
  triggerTokens: number;
  limitTokens: number;
  messageBudgetTokens: number;
}

/** One call that was answered. */
export interface AnsweredCall {
  subject: MeterSubject;
  reading: Pick<ContextReading, 'context' | 'estimate' | 'estimator' | 'state'>;
  /** The text that was sent, for the check on servers that cut without a word. */
  promptText(): string;
  /** The provider's own count of the prompt; null when it said nothing. */
  inputTokens: number | null;
  /** The view of messages was narrower than usual: its count says nothing of the usual prompt. */
  isNarrowed: boolean;
}

/**
 * Tool schemas are JSON with English in it, the same in every session: about so many characters per token on Qwen, Llama 3,
 * Gemma 3 and GPT-4o alike. The general fallback of 1.8 would let them fill half of an 8k window on paper. Only used while
 * no line is known: then they are in its overhead.
 */
const TOOL_CHARS_PER_TOKEN = 3.5;

/**
 * The settings that fit a window. In a window below about 20,000 tokens the room for the answer begins below the trigger of
 * 0.9: the size guard would end turns that no compression was tried for. There the trigger is the guard's own limit, and
 * the target keeps its distance to it.
 */
export function settingsFor(settings: CompressionSettings, windowTokens: number): CompressionSettings {
  const limitShare = 1 - outputReserve(windowTokens, settings.outputReserveTokens) / windowTokens;
  const thresholdShare = Math.min(settings.thresholdShare, limitShare);
  const targetShare = Math.min(settings.targetShare, (settings.targetShare / settings.thresholdShare) * thresholdShare);
  return { ...settings, thresholdShare, targetShare };
}

export function createContextMeter(dependencies: {
  store: Pick<CompressionStore, 'readObservations' | 'writeObservations' | 'readState' | 'writeState'>;
  settings: CompressionSettings;
  /** Price of an attached image, in tokens. */
  imageTokens(image: Attachment): number;
}) {
  const { store, imageTokens } = dependencies;

  function estimatorFor(
    observations: readonly CalibrationObservation[],
    frame: PromptFrame,
    messageBudgetTokens: number,
  ): Estimator {
    const calibration = calibrate(observationsWith(observations, toolLoadOf(frame)));
    return createEstimator({ calibration, messageBudgetTokens, imageTokens });
  }

  const toolLoadOf = ({ toolsFingerprint, toolChars }: PromptFrame): ToolLoad => ({
    fingerprint: toolsFingerprint,
    tokens: Math.ceil(toolChars / TOOL_CHARS_PER_TOKEN),
  });

  /** Tokens of what stands beside messages; of tools only while no line knows them. */
  function frameTokens(frame: PromptFrame, estimator: Estimator): number {
    const text = Math.ceil((frame.systemChars + frame.noticeChars) * estimator.tokensPerChar);
    return text + toolTokens(frame, estimator);
  }

  const toolTokens = (frame: PromptFrame, estimator: Estimator): number =>
    estimator.source === 'estimated' ? toolLoadOf(frame).tokens : 0;

  async function read(
    subject: MeterSubject,
    context: readonly Message[],
    options: { ignoreBaseline?: boolean; tx?: Transaction } = {},
  ): Promise<ContextReading> {
    const { windowTokens, frame, model } = subject;
    const settings = settingsFor(dependencies.settings, windowTokens);
    const observations = await store.readObservations(model, options.tx?.client);
    const state = await store.readState(subject.sessionId, options.tx?.client);
    const budgetTokens = messageBudgetTokens(windowTokens, settings.messageBudgetTokens);
    const estimator = estimatorFor(observations, frame, budgetTokens);
    const promptTokens = frameTokens(frame, estimator);
    const baseline = options.ignoreBaseline === true ? null : state.baseline;
    return {
      context,
      state,
      estimator,
      estimate: estimateContext({ context, baseline, model, estimator, promptTokens }),
      fixedTokens: estimator.overheadTokens + promptTokens,
      settings,
      triggerTokens: triggerTokens(windowTokens, settings),
      limitTokens: windowTokens - outputReserve(windowTokens, settings.outputReserveTokens),
      messageBudgetTokens: budgetTokens,
    };
  }

  /** Tokens of the whole prompt when no message may take more than `budgetTokens`. */
  async function tokensWith(
    subject: MeterSubject,
    context: readonly Message[],
  ): Promise<(budgetTokens: number) => number> {
    const observations = await store.readObservations(subject.model);
    return (budgetTokens) => {
      const estimator = estimatorFor(observations, subject.frame, budgetTokens);
      return estimator.overheadTokens + frameTokens(subject.frame, estimator) + estimator.messages(context);
    };
  }

  return {
    read,
    tokensWith,

    /**
     * Learns from a call that was answered: whether its prompt was cut, the line of its model, the baseline of its session.
     * Answers what the context then is known to be; `isTruncated` says that the count is not to be believed. Part of the
     * transaction that stores the answer.
     */
    async record(
      tx: Transaction,
      call: AnsweredCall,
    ): Promise<{ promptTokens: number; source: ContextEstimate['source']; isTruncated: boolean }> {
      const { subject, reading, inputTokens, isNarrowed } = call;
      const { estimate } = reading;
      if (inputTokens === null) return { promptTokens: estimate.tokens, source: estimate.source, isTruncated: false };
      const isTruncated = isPromptTruncated({
        reportedTokens: inputTokens,
        sent: estimate,
        floorTokens: inputTokens < estimate.tokens ? floorTokens(call.promptText()) : 0,
        windowTokens: subject.windowTokens,
      });
      if (isTruncated) {
        await store.writeState(tx, subject.sessionId, { isTruncated: true });
        return { promptTokens: estimate.tokens, source: estimate.source, isTruncated };
      }
      if (isNarrowed) return { promptTokens: inputTokens, source: 'real', isTruncated };
      const { frame } = subject;
      const images = reading.context.reduce((sum, message) => sum + sentImages(message).length, 0);
      const before = await store.readObservations(subject.model, tx.client);
      const after = observe(before, {
        chars: frame.systemChars + frame.noticeChars + reading.estimator.chars(reading.context),
        tokens: inputTokens,
        tools: toolLoadOf(frame),
        images,
        isTruncated,
      });
      if (after !== before) await store.writeObservations(subject.model, after, tx.client);
      await store.writeState(tx, subject.sessionId, {
        isTruncated: false,
        baseline: baselineOf(subject.model, inputTokens, reading.context),
      });
      return { promptTokens: inputTokens, source: 'real', isTruncated };
    },

    /** The meter with what it is made of. The parts are prices; their sum may differ a little from a real total. */
    async measure(subject: MeterSubject, context: readonly Message[]): Promise<ContextMeter> {
      const reading = await read(subject, context);
      const { estimator } = reading;
      const isText = (message: Message) => !message.isSummary && !isMemoryRecall(message);
      const text = (fits: (message: Message) => boolean) =>
        context.filter(fits).reduce((sum, message) => sum + estimator.message({ ...message, images: null }), 0);
      const images = context.flatMap(sentImages).reduce((sum, image) => sum + imageTokens(image), 0);
      const { frame, windowTokens, model } = subject;
      return {
        model,
        tokens: reading.estimate.tokens,
        source: reading.estimate.source,
        windowTokens,
        triggerTokens: reading.triggerTokens,
        limitTokens: reading.limitTokens,
        breakdown: {
          system: Math.ceil(frame.systemChars * estimator.tokensPerChar),
          tools: estimator.overheadTokens + toolTokens(frame, estimator),
          plan: Math.ceil(frame.noticeChars * estimator.tokensPerChar),
          summaries: text((message) => message.isSummary),
          recalled: text((message) => isMemoryRecall(message)),
          history: text(isText),
          images,
          reserve: windowTokens - reading.limitTokens,
        },
      };
    },
  };
}

export type ContextMeterService = ReturnType<typeof createContextMeter>;
