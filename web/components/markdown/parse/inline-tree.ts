import type { Delimiter, Piece } from './pieces';
import type { Inline, InlineWrap } from './types';

/** Wraps deeper than this are left out (their content stays): broken or hostile text must not nest without end. */
const MAX_INLINE_DEPTH = 24;
/** Half-written `*` emphasis longer than this is taken for an ordinary character, in characters. */
const MAX_OPEN_EMPHASIS = 120;

interface Frame {
  children: Inline[];
  /** What the frame becomes when it closes; null when it is too deep to be shown. */
  finish: ((children: Inline[]) => Inline) | null;
  tag?: InlineWrap;
}

/** Builds the tree from the scanned pieces. With `isOpenEnded`, emphasis that has no end yet ends with the text. */
export function buildInlines(pieces: Piece[], isOpenEnded: boolean): Inline[] {
  const root: Frame = { children: [], finish: null };
  const frames: Frame[] = [root];
  const tip = () => frames[frames.length - 1] ?? root;

  function addText(text: string) {
    if (text === '') return;
    const last = tip().children.at(-1);
    if (last?.type === 'text') last.text += text;
    else tip().children.push({ type: 'text', text });
  }

  function open(finish: Frame['finish'], tag?: InlineWrap) {
    frames.push({ children: [], finish: frames.length > MAX_INLINE_DEPTH ? null : finish, tag });
  }

  function close() {
    const frame = frames.length > 1 ? frames.pop() : undefined;
    if (!frame) return;
    if (frame.finish) tip().children.push(frame.finish(frame.children));
    else for (const child of frame.children) child.type === 'text' ? addText(child.text) : tip().children.push(child);
  }

  function openWrap(tag: InlineWrap) {
    open((children) => ({ type: 'wrap', tag, children }));
  }

  function addDelimiter(piece: Delimiter, index: number) {
    for (let count = 0; count < piece.closes; count += 1) close();
    const pending = isOpenEnded ? findPending(pieces, index) : null;
    if (pending === null) addText(piece.char.repeat(piece.left));
    else if (pending !== 'hidden') openWrap(pending);
    for (const tag of piece.opens.toReversed()) openWrap(tag);
  }

  const ends = pairTags(pieces);
  pieces.forEach((piece, index) => {
    if (piece.kind === 'text') addText(piece.text);
    else if (piece.kind === 'inline') tip().children.push(piece.inline);
    else if (piece.kind === 'delimiter') addDelimiter(piece, index);
    else if (piece.kind === 'link') {
      const { href, title } = piece;
      open((children) => ({ type: 'link', href, title, children }));
    } else if (piece.kind === 'linkEnd') close();
    else if (!ends.has(index)) addText(piece.source);
    else if (piece.isEnd) close();
    else openWrap(piece.name);
  });
  while (frames.length > 1) close();
  return root.children;
}

/** The wrap that an unmatched delimiter will probably open, 'hidden' for a mark at the very end, null for plain text. */
function findPending(pieces: Piece[], index: number): InlineWrap | 'hidden' | null {
  const piece = pieces[index];
  if (piece?.kind !== 'delimiter' || piece.left === 0) return null;
  if (index === pieces.length - 1) return piece.char === '*' || piece.left === 2 ? 'hidden' : null;
  if (!piece.canOpen || piece.opens.length > 0) return null;
  if (piece.char === '~') return piece.left === 2 ? 'del' : null;
  if (piece.left >= 2) return 'strong';
  if (piece.isInsideWord) return null;
  let length = 0;
  for (let at = index + 1; at < pieces.length; at += 1) {
    const next = pieces[at];
    length += next?.kind === 'text' ? next.text.length : 1;
    if (length > MAX_OPEN_EMPHASIS) return null;
  }
  return 'em';
}

/**
 * Indexes of the `<sub>`-like tags that pair up without crossing other wraps. Emphasis is paired before tags, so a tag
 * whose partner lies beyond the end of an emphasis or a link stays text.
 */
function pairTags(pieces: Piece[]): Set<number> {
  const paired = new Set<number>();
  if (!pieces.some((piece) => piece.kind === 'tag')) return paired;
  const open: Array<number | null> = [];
  pieces.forEach((piece, index) => {
    if (piece.kind === 'tag' && !piece.isEnd) open.push(index);
    else if (piece.kind === 'link') open.push(null);
    else if (piece.kind === 'delimiter') {
      for (let count = 0; count < piece.closes; count += 1) dropToBoundary(open);
      for (let count = 0; count < piece.opens.length; count += 1) open.push(null);
    } else if (piece.kind === 'linkEnd') dropToBoundary(open);
    else if (piece.kind === 'tag') {
      const boundary = open.lastIndexOf(null);
      for (let at = open.length - 1; at > boundary; at -= 1) {
        const start = open[at];
        const opener = typeof start === 'number' ? pieces[start] : undefined;
        if (opener?.kind !== 'tag' || opener.name !== piece.name || typeof start !== 'number') continue;
        paired.add(start);
        paired.add(index);
        open.length = at;
        break;
      }
    }
  });
  return paired;
}

function dropToBoundary(open: Array<number | null>): void {
  while (open.length > 0 && open.pop() !== null);
}
