/**
 * How rare terms are in the history that is searched. Counted per chunk: that is what the index can tell cheaply, and what
 * makes the weights of a small set of candidates those of the whole history.
 */
export interface TermStatistics {
  /** Chunks in the history. */
  chunkCount: number;
  /** Chunks that hold a term (stem or prefix); 0 for one that none holds. */
  chunksWith(term: string): number;
}

/** Weight of a term: BM25's inverse document frequency, never below zero. */
export function termWeight(term: string, statistics: TermStatistics): number {
  const count = statistics.chunksWith(term);
  return Math.log(1 + (statistics.chunkCount - count + 0.5) / (count + 0.5));
}

/** Distinct terms of tokens, stems and prefixes: what an index row of a chunk holds. */
export function distinctTerms(tokens: readonly { stem: string; prefix: string | null }[]): string[] {
  const terms = new Set<string>();
  for (const token of tokens) {
    terms.add(token.stem);
    if (token.prefix !== null) terms.add(token.prefix);
  }
  return [...terms];
}

/**
 * A term as a 32-bit number for an `int4[]` index. The salt is the session's id, so that the postings of one session are its
 * own: a word that is common elsewhere costs nothing here. FNV-1a with a final mix; a collision only adds a candidate.
 */
export function hashTerm(salt: string, term: string): number {
  let hash = 0x811c9dc5;
  for (const part of [salt, '\u0000', term]) {
    for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
