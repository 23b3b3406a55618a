/**
 * From ranked passages to what is returned: within a budget of text, no words twice, neighbours joined. Spreading the choice
 * over places was measured and left out: any penalty on neighbours lost recall.
 */
import type { RankedPassage } from './rank';

/**
 * From here on an excerpt is worth bringing into the context by itself (`memory_recall_min_similarity`). Measured on LoCoMo
 * (`bench/locomo.ts`): 93 % of its questions have an excerpt over it, and 2 % of questions about another conversation.
 */
export const defaultMinSimilarity = 0.25;

export interface Excerpt {
  firstSequence: number;
  lastSequence: number;
  startedAt: string;
  endedAt: string;
  /** Verbatim passages, one per line. */
  text: string;
  /** Of its best passage, 0 to 1. */
  similarity: number;
}

export interface SelectOptions {
  /** Characters of text returned at most; four make a token here. */
  budgetChars: number;
  /** Passages below it are left out. */
  minSimilarity?: number;
  maxExcerpts?: number;
}

/** Takes the best passages that fit, joins neighbours, and returns them best first. */
export function selectExcerpts(ranked: readonly RankedPassage[], options: SelectOptions): Excerpt[] {
  const best = ranked
    .filter((passage) => passage.similarity > 0 && passage.similarity >= (options.minSimilarity ?? 0))
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position);
  const taken: RankedPassage[] = [];
  const said = new Set<string>();
  let left = options.budgetChars;
  for (const passage of best) {
    const chars = passage.text.length + 1;
    // The same words again (a command that was run ten times) say nothing new.
    if (chars > left || said.has(passage.text)) continue;
    left -= chars;
    said.add(passage.text);
    taken.push(passage);
    if (left < MIN_PASSAGE_CHARS) break;
  }
  return join(taken).slice(0, options.maxExcerpts ?? Number.POSITIVE_INFINITY);
}

/** With less room than this nothing more is looked for. */
const MIN_PASSAGE_CHARS = 20;

function join(taken: readonly RankedPassage[]): Excerpt[] {
  const excerpts: (Excerpt & { lastPosition: number })[] = [];
  for (const passage of [...taken].sort((a, b) => a.position - b.position)) {
    const current = excerpts[excerpts.length - 1];
    if (current !== undefined && current.lastPosition + 1 === passage.position) {
      // Pieces of one message were cut without a separator.
      current.text += current.lastSequence === passage.sequenceNumber ? passage.text : `\n${passage.text}`;
      current.lastSequence = passage.sequenceNumber;
      current.endedAt = passage.createdAt;
      current.similarity = Math.max(current.similarity, passage.similarity);
      current.lastPosition = passage.position;
      continue;
    }
    excerpts.push({
      firstSequence: passage.sequenceNumber,
      lastSequence: passage.sequenceNumber,
      startedAt: passage.createdAt,
      endedAt: passage.createdAt,
      text: passage.text,
      similarity: passage.similarity,
      lastPosition: passage.position,
    });
  }
  return excerpts
    .sort((a, b) => b.similarity - a.similarity || a.firstSequence - b.firstSequence)
    .map(({ lastPosition: _, ...excerpt }) => excerpt);
}
