/** From ranked passages to what is returned: within a budget of text, not all from one place, neighbours joined. */
import type { RankedPassage } from './rank';

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
  /** Share that a passage loses for each better one close to it that was already taken. */
  crowding?: number;
}

/** Positions within which passages crowd each other. */
const CROWD_REACH = 12;
/** What each taken neighbour costs; so that a second place is looked at before all of the first is told. */
const CROWDING = 0.02;

/** Takes the best passages that fit, joins neighbours, and returns them best first. */
export function selectExcerpts(ranked: readonly RankedPassage[], options: SelectOptions): Excerpt[] {
  const crowding = options.crowding ?? CROWDING;
  const open = ranked
    .filter((passage) => passage.similarity > 0 && passage.similarity >= (options.minSimilarity ?? 0))
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position);
  const taken: RankedPassage[] = [];
  const crowd = new Map<number, number>();
  let left = options.budgetChars;
  const worth = (passage: RankedPassage) => passage.similarity * (1 - crowding * (crowd.get(passage.position) ?? 0));
  while (open.length > 0 && left > 0) {
    let best = 0;
    for (let at = 1; at < open.length; at++) {
      const one = open[at];
      const leader = open[best];
      if (one === undefined || leader === undefined) break;
      // Sorted by similarity, and crowding only takes away: nothing further can win.
      if (one.similarity <= worth(leader)) break;
      if (worth(one) > worth(leader)) best = at;
    }
    const [passage] = open.splice(best, 1);
    if (passage === undefined) break;
    const chars = passage.text.length + 1;
    if (chars > left) continue;
    left -= chars;
    taken.push(passage);
    for (let position = passage.position - CROWD_REACH; position <= passage.position + CROWD_REACH; position++) {
      crowd.set(position, (crowd.get(position) ?? 0) + 1);
    }
  }
  return join(taken).slice(0, options.maxExcerpts ?? Number.POSITIVE_INFINITY);
}

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
