/** What cards and meters say, in words. Pure. */
import type {
  Compression,
  CompressionPhase,
  ContextBreakdown,
  ContextMeter,
} from '../../../server/domains/compression/schema';
import { formatCount } from '../../lib/format';

export const triggerWords: Record<Compression['trigger'], string> = {
  preturn: 'Before an answer, because the context was nearly full',
  midturn: 'Between two steps of an answer, because the context was nearly full',
  postturn: 'After an answer, to be ready for the next message',
  forced: 'Asked for by a person',
};

interface Progress {
  phase: CompressionPhase;
  attempt: number;
  part: number | null;
  parts: number | null;
}

const phaseWords: Record<CompressionPhase, string> = {
  planning: 'Choosing what stays',
  summarising: 'Writing the summary',
  truncating: 'Taking out older messages without a summary',
  applying: 'Putting the new context in place',
};

/** `Writing the summary, part 2 of 3, second attempt`. */
export function progressWords(progress: Progress | null): string {
  if (progress === null) return 'Getting ready';
  const { phase, attempt, part, parts } = progress;
  const isInParts = phase === 'summarising' && part !== null && parts !== null && parts > 1;
  return [
    phaseWords[phase],
    ...(isInParts ? [`part ${part} of ${parts}`] : []),
    ...(attempt > 1 ? ['second attempt, keeping more'] : []),
  ].join(', ');
}

const faultWords: Readonly<Record<string, string>> = {
  empty: 'the model wrote no summary',
  refusal: 'the model refused to write one',
  'only-reasoning': 'the model only thought and wrote no summary',
  'tool-markup': 'the model tried to call tools instead',
  'cut-by-length': 'the summary was cut off before its end',
  'not-smaller': 'the summary was no smaller than what it would have replaced',
  'model-failed': 'the model could not be reached or failed',
  'nothing-to-truncate': 'nothing older was left to take out',
};

/** Attempts that came to nothing, as one sentence; null when there were none. */
export function faultsSentence(faults: readonly string[]): string | null {
  if (faults.length === 0) return null;
  const words = faults.map((fault) => faultWords[fault] ?? fault);
  if (words.length === 1) return `One attempt came to nothing: ${words[0]}.`;
  return `${formatCount(words.length)} attempts came to nothing: ${[...new Set(words)].join('; ')}.`;
}

/** What happens after a compression that failed. */
export function nextWords({ reason, trigger }: Pick<Compression, 'reason' | 'trigger'>): string {
  if (reason === 'fixed-overhead')
    return 'Compressing by itself pauses until the model, its window or the tools change.';
  if (reason === 'nothing-to-compress') return 'Everything in the context is part of the newest exchange.';
  if (reason === 'cancelled' || reason === 'interrupted' || trigger === 'forced')
    return 'You can try again at any time.';
  if (reason === 'context-changed' || reason === 'store-failed') return 'It is tried again with the next message.';
  return 'Compressing by itself pauses until the context, the model or the tools change. You can also try by hand, or switch the model.';
}

export type BreakdownPart = keyof ContextBreakdown;

/** In the order in which the bar shows them; `reserve` comes last, it is kept free. */
export const breakdownParts: readonly { part: BreakdownPart; name: string; hint: string }[] = [
  { part: 'system', name: 'Instructions', hint: 'The system prompt of the profile' },
  { part: 'tools', name: 'Tools', hint: 'What the model is told of its tools' },
  { part: 'plan', name: 'Plan and notices', hint: 'The plan as it stands, and what changed of it' },
  { part: 'summaries', name: 'Summaries', hint: 'What stands for messages that were compressed' },
  { part: 'recalled', name: 'Recalled', hint: 'Excerpts that memory brought back' },
  { part: 'history', name: 'Messages', hint: 'What was said and what tools answered' },
  { part: 'images', name: 'Images', hint: 'Pictures in the messages' },
  { part: 'reserve', name: 'Kept free', hint: 'Room for the answer' },
];

export const sourceWords: Record<ContextMeter['source'], string> = {
  real: 'Counted by the model itself.',
  calibrated: 'Estimated, corrected by earlier counts of this model.',
  estimated: 'Estimated from the length of the text.',
};

/** The text of a summary without the line that tells the model where the rest is. */
export const summaryBody = (content: string): string => content.replace(/^\[[^\n]*\]\n+/, '');
