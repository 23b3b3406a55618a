/** Has a model write the summary of a plan: formatted, in as many parts as the window asks for, judged. Writes nothing. */
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { CallModel, FinishReason, ResolvedModel } from '../../providers/types';
import type { Attachment, Message } from '../messages/schema';
import { formatHistory } from './engine/format';
import type { Estimator } from './engine/message-price';
import { META_SUMMARY_CHARS, summariesToMerge } from './engine/meta-summary';
import type { CompressionPlan } from './engine/partition';
import type { CompressionSettings } from './engine/settings';
import {
  MAX_SUMMARY_INPUT_CHARS,
  MAX_SUMMARY_PARTS,
  summaryInputChars,
  summaryOutputTokens,
  toSummaryInputs,
} from './engine/summary-input';
import { metaSummarySystemPrompt, summaryRequest, summarySystemPrompt } from './engine/summary-prompt';
import { type SummaryVerdict, validateSummary } from './engine/validate-summary';

/** An image as a model takes it. */
export interface SentImage {
  mediaType: string;
  data: Uint8Array;
}

export interface SummariserDependencies {
  callModel: CallModel;
  imageTokens(image: Attachment): number;
  /** The bytes of images of a session as the model's endpoint takes them; those that cannot be read are left out. */
  readImages(sessionId: string, model: ResolvedModel, images: readonly Attachment[]): Promise<SentImage[]>;
}

export interface SummariseInput {
  sessionId: string;
  plan: CompressionPlan;
  model: ResolvedModel;
  windowTokens: number;
  settings: CompressionSettings;
  estimator: Estimator;
  /** The profile's own instructions; null takes ours. */
  customPrompt: string | null;
  focus: string | null;
  /** The context is over the window: it is read in parts, so that nothing of it is skipped. */
  isOverWindow: boolean;
  signal: AbortSignal;
  /** Part `part` of `parts` begins; counted from 1. */
  onPart(part: number, parts: number): Promise<void>;
}

export function createSummariser({ callModel, imageTokens, readImages }: SummariserDependencies) {
  async function ask(
    input: SummariseInput,
    system: string,
    user: string,
    images: readonly SentImage[] = [],
  ): Promise<SummaryVerdict> {
    const pictures = images.map((image) => ({ type: 'file' as const, ...image }));
    const prompt: LanguageModelV3Prompt = [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: user }, ...pictures] },
    ];
    let text = '';
    let finishReason: FinishReason = 'other';
    let hasToolCalls = false;
    const parts = callModel({
      model: input.model,
      windowTokens: input.windowTokens,
      prompt,
      tools: [],
      temperature: input.settings.summaryTemperature,
      maxOutputTokens: summaryOutputTokens(input.windowTokens, input.settings.summaryMaxTokens),
      think: false,
      signal: input.signal,
    });
    for await (const part of parts) {
      if (part.type === 'text-delta') text += part.text;
      else if (part.type === 'tool-call') hasToolCalls = true;
      else if (part.type === 'finish') finishReason = part.reason;
    }
    return validateSummary({ text, finishReason, hasToolCalls });
  }

  /** Merges summaries into one. Where that comes to nothing, the summaries themselves stand: they are valid already. */
  async function merge(input: SummariseInput, texts: readonly string[]): Promise<{ text: string; keys: string[] }> {
    const joined = texts.join('\n\n');
    const chars = summaryInputChars(input.windowTokens, input.estimator.tokensPerChar);
    const [merged] = toSummaryInputs(
      texts.map((text, index) => ({ sequenceNumber: index, text, shortText: null })),
      chars,
    );
    const verdict = await ask(input, metaSummarySystemPrompt(), summaryRequest(merged ?? joined));
    return verdict.isValid && verdict.text.length < joined.length ? verdict : { text: joined, keys: [] };
  }

  /** Earlier summaries in front, merged into one where they would crowd the input. */
  async function prepare(input: SummariseInput): Promise<{ messages: Message[]; keys: string[] }> {
    const { toSummarise } = input.plan;
    const summaries = summariesToMerge(toSummarise);
    const first = summaries?.[0];
    if (summaries === null || first === undefined) return { messages: toSummarise, keys: [] };
    const merged = await merge(
      input,
      summaries.map((summary) => summary.content),
    );
    const others = toSummarise.filter((message) => !message.isSummary);
    return { messages: [{ ...first, content: merged.text }, ...others], keys: merged.keys };
  }

  /**
   * The summary of everything that the plan takes out, judged. Throws what the model call throws, and the signal's reason
   * when it aborts.
   */
  return async function summarise(input: SummariseInput): Promise<SummaryVerdict> {
    const { messages, keys } = await prepare(input);
    const { entries, ...formatted } = formatHistory(messages, {
      windowTokens: input.windowTokens,
      imageTokens,
      canSeeImages: input.model.seesImages() !== false,
    });
    const maxChars = summaryInputChars(input.windowTokens, input.estimator.tokensPerChar, formatted.imageTokens);
    // The cut at 32,000 characters is the seed's; a cut that only a small window forces would lose what parts can keep.
    const maxParts = input.isOverWindow || maxChars < MAX_SUMMARY_INPUT_CHARS ? MAX_SUMMARY_PARTS : 1;
    const inputs = toSummaryInputs(entries, maxChars, maxParts);
    const system = summarySystemPrompt({ custom: input.customPrompt, focus: input.focus });
    const images = await readImages(input.sessionId, input.model, formatted.images);
    const texts: string[] = [];
    const allKeys = [...keys];
    for (const [index, text] of inputs.entries()) {
      await input.onPart(index + 1, inputs.length);
      // The newest images are those chosen: they belong to the last part.
      const shown = index === inputs.length - 1 ? images : [];
      const verdict = await ask(input, system, summaryRequest(text, index + 1, inputs.length), shown);
      if (!verdict.isValid) return verdict;
      texts.push(verdict.text);
      allKeys.push(...verdict.keys);
    }
    if (texts.length === 0) return { isValid: false, fault: 'empty' };
    const joined = texts.join('\n\n');
    const isLong =
      texts.length > 1 &&
      (joined.length > META_SUMMARY_CHARS ||
        joined.length * input.estimator.tokensPerChar >
          summaryOutputTokens(input.windowTokens, input.settings.summaryMaxTokens));
    const whole = isLong ? await merge(input, texts) : { text: joined, keys: [] };
    return { isValid: true, text: whole.text, keys: [...new Set([...whole.keys, ...allKeys])] };
  };
}

export type Summarise = ReturnType<typeof createSummariser>;
