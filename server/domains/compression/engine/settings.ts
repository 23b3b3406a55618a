/**
 * The pure half of compression: what to take out of a context, what to put there, and whether that was worth it. Nothing
 * here reads a clock, a table or a model; numbers come in, decisions leave as values. `README` of the folder:
 *
 *   calibration, baseline, image-price, message-price   how many tokens something takes
 *   units, turns, importance, partition                 what leaves the context, what stays
 *   format, summary-input, summary-prompt, keys-line    what the summariser reads and is told
 *   validate-summary, outcome, hard-truncate, machine   whether its answer counts, and what else to try
 *   decide, breaker, size-guard, truncated-prompt       when to begin, when to leave it
 *
 * This file holds what a person may set. Constants that nobody sets stand in the file that uses them.
 */

/** Settings of compression; names and defaults are those of seed 004 ("Config values"). */
export interface CompressionSettings {
  isEnabled: boolean;
  /** Share of the window from which a context is compressed. */
  thresholdShare: number;
  /** Share of the window that the kept part should fit, so that the trigger does not fire again a few messages later. */
  targetShare: number;
  /** Newest conversational turns that stay verbatim. */
  keepRecentTurns: number;
  summaryTemperature: number;
  /** Most tokens of a summary. */
  summaryMaxTokens: number;
  /** Tokens left free for the answer. */
  outputReserveTokens: number;
  /** View of one message in tokens; 0 takes a sixth of the window. */
  messageBudgetTokens: number;
  /** Price in tokens of an image whose header cannot be read. */
  imageTokens: number;
}

export const defaultCompressionSettings: CompressionSettings = {
  isEnabled: true,
  thresholdShare: 0.9,
  targetShare: 0.65,
  keepRecentTurns: 4,
  summaryTemperature: 0.3,
  summaryMaxTokens: 6000,
  outputReserveTokens: 2048,
  messageBudgetTokens: 0,
  imageTokens: 1024,
};

/** What a profile may say otherwise (seed 004, per-profile overrides). */
export interface CompressionOverrides {
  keepRecentTurns?: number | undefined;
  summaryMaxTokens?: number | undefined;
}

/** The settings of one session: the profile's word over the general one. */
export function withOverrides(settings: CompressionSettings, overrides: CompressionOverrides): CompressionSettings {
  return {
    ...settings,
    keepRecentTurns: overrides.keepRecentTurns ?? settings.keepRecentTurns,
    summaryMaxTokens: overrides.summaryMaxTokens ?? settings.summaryMaxTokens,
  };
}

/** What starts a compression (product §1). */
export type CompressionTrigger = 'preturn' | 'midturn' | 'postturn' | 'forced';

/** Tokens from which a context is compressed. */
export function triggerTokens(windowTokens: number, settings: Pick<CompressionSettings, 'thresholdShare'>): number {
  return Math.floor(windowTokens * settings.thresholdShare);
}

/** Newest messages that stay when one long turn is cut in its middle (seed 004: `max(12, context_keep_recent * 2)`). */
export function keepRecentMessages(settings: Pick<CompressionSettings, 'keepRecentTurns'>): number {
  return Math.max(12, settings.keepRecentTurns * 2);
}
