/**
 * How many tokens a text takes, learned from what providers really counted: a line `tokens = overhead + chars × slope`
 * through the newest observations of one model (seed 004, "Token accounting and the window"). The overhead is what is in
 * every prompt and not in its characters: tool schemas, the chat template.
 */

/** One answered call: characters of the prompt that was built, and the provider's own count of it. */
export interface CalibrationObservation {
  chars: number;
  tokens: number;
  /** The tools that the prompt offered: their schemas are in `tokens` and not in `chars`. Unknown for old observations. */
  tools?: ToolLoad | undefined;
}

/** Which tools a prompt offers, and about how many tokens their schemas take. */
export interface ToolLoad {
  fingerprint: string;
  tokens: number;
}

export interface CalibrationLine {
  overheadTokens: number;
  tokensPerChar: number;
}

/** Where a number of tokens comes from: `estimated` is the fallback without any line. */
export type TokenSource = 'real' | 'calibrated' | 'estimated';

export interface Calibration extends CalibrationLine {
  source: Exclude<TokenSource, 'real'>;
}

/** Observations kept per model (seed 004): enough to smooth, few enough to follow a change of tools or of language. */
export const MAX_OBSERVATIONS = 8;
/** Two sizes must differ by this factor, or the slope between them is noise (seed 004). */
export const MIN_SIZE_RATIO = 1.25;
/**
 * Plausible tokens per character (product §13). Plain English takes 0.21 to 0.24, Chinese 0.6 to 1; the seed's own lower
 * bound of 0.25 refused English. What lies outside was measured on a prompt that was truncated, or holds other text than
 * the characters counted.
 */
export const MIN_TOKENS_PER_CHAR = 0.1;
export const MAX_TOKENS_PER_CHAR = 2;
/** Without a line (seed 004): measured; chars / 3 lay 1.8 times below real prompts. */
export const FALLBACK_CHARS_PER_TOKEN = 1.8;

export interface PromptMeasurement extends CalibrationObservation {
  /** Images in the prompt: their tokens are not in `chars`, so such a prompt teaches nothing about text. */
  images: number;
  /** The provider evaluated only a part of the prompt (`truncated-prompt.ts`). */
  isTruncated: boolean;
}

/** The observations after one more call: the newest `MAX_OBSERVATIONS`. Prompts that teach nothing change nothing. */
export function observe(
  observations: readonly CalibrationObservation[],
  measured: PromptMeasurement,
): readonly CalibrationObservation[] {
  const isUsable = measured.images === 0 && !measured.isTruncated && measured.chars > 0 && measured.tokens > 0;
  if (!isUsable) return observations;
  const { chars, tokens, tools } = measured;
  return [...observations, { chars, tokens, tools }].slice(-MAX_OBSERVATIONS);
}

/**
 * The line through the observations, or null when they do not carry one: fewer than two, sizes too close, or a slope
 * outside the plausible. Least squares of the relative error (weights 1 / tokens²): the small prompts of a fresh session
 * count as much as the large ones before a compression. An overhead below zero cannot be, then the line runs through 0.
 */
export function fitLine(observations: readonly CalibrationObservation[]): CalibrationLine | null {
  if (observations.length < 2) return null;
  const sizes = observations.map((observation) => observation.chars);
  if (Math.max(...sizes) < Math.min(...sizes) * MIN_SIZE_RATIO) return null;
  const sum = { weight: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const { chars, tokens } of observations) {
    const weight = 1 / (tokens * tokens);
    sum.weight += weight;
    sum.x += weight * chars;
    sum.y += weight * tokens;
    sum.xx += weight * chars * chars;
    sum.xy += weight * chars * tokens;
  }
  const determinant = sum.weight * sum.xx - sum.x * sum.x;
  if (!(determinant > 0)) return null;
  const slope = (sum.weight * sum.xy - sum.x * sum.y) / determinant;
  const intercept = (sum.y - slope * sum.x) / sum.weight;
  const line =
    intercept >= 0
      ? { overheadTokens: intercept, tokensPerChar: slope }
      : { overheadTokens: 0, tokensPerChar: sum.xy / sum.xx };
  const isPlausible = line.tokensPerChar >= MIN_TOKENS_PER_CHAR && line.tokensPerChar <= MAX_TOKENS_PER_CHAR;
  return isPlausible ? line : null;
}

/**
 * Observations as they speak of prompts with these tools. A line belongs to a model, and one model serves profiles with
 * three tools and with ninety: the overhead of one would fill the window of the other on paper. Where the same tools were
 * not yet observed often enough, the difference of the schemas' prices is taken out of the others.
 */
export function observationsWith(
  observations: readonly CalibrationObservation[],
  tools: ToolLoad,
): readonly CalibrationObservation[] {
  const own = observations.filter((one) => one.tools === undefined || one.tools.fingerprint === tools.fingerprint);
  if (own.length === observations.length || fitLine(own) !== null) return own;
  return observations.map((one) => ({
    ...one,
    tokens: Math.max(1, one.tokens + (one.tools === undefined ? 0 : tools.tokens - one.tools.tokens)),
  }));
}

/** The model's line, or the fallback of `chars / 1.8` without overhead. */
export function calibrate(observations: readonly CalibrationObservation[]): Calibration {
  const line = fitLine(observations);
  return line === null
    ? { overheadTokens: 0, tokensPerChar: 1 / FALLBACK_CHARS_PER_TOKEN, source: 'estimated' }
    : { ...line, source: 'calibrated' };
}

/** Tokens of a whole prompt with `chars` characters of text. */
export function estimatePromptTokens(chars: number, line: CalibrationLine): number {
  return Math.ceil(line.overheadTokens + chars * line.tokensPerChar);
}
