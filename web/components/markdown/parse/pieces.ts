import type { Inline, InlineWrap } from './types';

/** A run of `*`, `_` or `~` and what became of it. */
export interface Delimiter {
  kind: 'delimiter';
  char: string;
  length: number;
  /** Characters not yet used for emphasis. */
  left: number;
  canOpen: boolean;
  canClose: boolean;
  /** Letters or digits on both sides: `2*3`. */
  isInsideWord: boolean;
  /** Wraps that start here, innermost first. */
  opens: InlineWrap[];
  /** How many wraps end here. */
  closes: number;
}

/** What the scanner makes of inline text, in order, before it becomes a tree. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'inline'; inline: Inline }
  | { kind: 'link'; href: string | null; title: string | null }
  | { kind: 'linkEnd' }
  | { kind: 'tag'; name: InlineWrap; isEnd: boolean; source: string }
  | Delimiter;

/** An open `[` or `![`. */
export interface Bracket {
  pieceIndex: number;
  delimiterCount: number;
  isImage: boolean;
  /** A link may not hold links: brackets around one no longer make any. */
  isActive: boolean;
  textOffset: number;
}
