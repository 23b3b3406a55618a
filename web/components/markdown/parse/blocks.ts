/**
 * The block structure of a Markdown text: CommonMark 0.31 with GFM tables and tasks, plus display mathematics.
 * Line by line and linear in the text. Inline text is left as written: it is parsed where it is shown.
 */
import { type Leaf, openFence, openHtml, openIndentedCode, openMath, openParagraph, openTable } from './leaves';
import { type LineCursor, openLine } from './line';
import {
  ATX_HEADING,
  BULLET,
  FENCE_OPEN,
  findHtmlEnd,
  ORDERED,
  SETEXT_UNDERLINE,
  TASK,
  THEMATIC_BREAK,
} from './patterns';
import { readDelimiterRow, splitRow } from './table';
import type { Block, BlockOf, Definition, ListItem, TopBlock } from './types';

/** Quotes and list items deeper than this stay text, so that a hostile or broken answer cannot nest without end. */
export const MAX_DEPTH = 16;

/** How far ahead the end of display mathematics is looked for, in characters. */
const MATH_LOOKAHEAD = 4000;

interface Container {
  kind: 'document' | 'quote' | 'item';
  children: Block[];
  /** For an item: columns its content is indented by. */
  contentIndent: number;
  list?: BlockOf<'list'>;
}

export interface ParsedBlocks {
  blocks: TopBlock[];
  /**
   * Blocks that start before this offset cannot change, whatever is appended to the text. Parsing again from here gives
   * the rest.
   */
  restartOffset: number;
}

/** Parses `text` from `baseOffset` (0 or an earlier `restartOffset`). Line endings must be `\n`. */
export function parseBlocks(text: string, baseOffset = 0): ParsedBlocks {
  const root: Container = { kind: 'document', children: [], contentIndent: 0 };
  const tops: Array<{ startOffset: number; definitions: Definition[] }> = [];
  const stack: Container[] = [root];
  let leaf: Leaf | null = null;
  let isAfterBlank = false;
  let lineOffset = baseOffset;
  let lineEnd = baseOffset;

  const tip = () => stack[stack.length - 1] ?? root;

  function closeLeaf() {
    leaf?.close();
    leaf = null;
  }

  /** Puts a block into the container at `depth`, closing what was open below it. */
  function place(depth: number, block: Block, startOffset = lineOffset) {
    closeLeaf();
    stack.length = depth;
    const container = tip();
    if (container === root) tops.push({ startOffset, definitions: [] });
    if (container.list && isAfterBlank && container.children.length > 0) container.list.isLoose = true;
    container.children.push(block);
    isAfterBlank = false;
  }

  function placeLeaf(depth: number, next: Leaf, startOffset = lineOffset) {
    place(depth, next.block, startOffset);
    leaf = next;
  }

  /** How many of the open containers this line continues. */
  function matchContainers(line: LineCursor): number {
    let depth = 1;
    for (; depth < stack.length; depth += 1) {
      const container = stack[depth];
      if (container?.kind === 'quote') {
        if (line.indent() > 3 || line.firstChar() !== '>') break;
        line.skipMarker(1);
        line.skipColumns(1);
      } else if (container) {
        const isInside = line.isBlank() ? container.children.length > 0 : line.indent() >= container.contentIndent;
        if (!isInside) break;
        line.skipColumns(container.contentIndent);
      }
    }
    return depth;
  }

  /** Gives a line to a leaf that reads lines by itself; false when the leaf would not have it. */
  function feed(line: LineCursor): boolean {
    const result = leaf?.take?.(line) ?? 'refused';
    if (result !== false) closeLeaf();
    return result !== 'refused';
  }

  function openQuote(line: LineCursor, depth: number): boolean {
    if (line.firstChar() !== '>') return false;
    line.skipMarker(1);
    line.skipColumns(1);
    const block: BlockOf<'quote'> = { type: 'quote', children: [] };
    place(depth, block);
    stack.push({ kind: 'quote', children: block.children, contentIndent: 0 });
    return true;
  }

  function openItem(line: LineCursor, depth: number, isInParagraph: boolean): boolean {
    const source = line.trimmed();
    const ordered = ORDERED.exec(source);
    const marker = ordered?.[0] ?? BULLET.exec(source)?.[0];
    if (!marker || THEMATIC_BREAK.test(source)) return false;
    const isEmpty = source.slice(marker.length).trim() === '';
    if (isInParagraph && (isEmpty || (ordered && Number(ordered[1]) !== 1))) return false;
    const markerIndent = line.indent();
    line.skipMarker(marker.length);
    const padding = isEmpty || line.indent() > 4 ? 1 : line.indent();
    line.skipColumns(padding);

    const kind = ordered?.[2] ?? marker;
    const item: ListItem = { isChecked: null, children: [] };
    let list = stack[depth - 1]?.children.at(-1);
    if (list?.type === 'list' && list.marker === kind) {
      closeLeaf();
      stack.length = depth;
      if (isAfterBlank) list.isLoose = true;
      isAfterBlank = false;
    } else {
      const start = ordered ? Number(ordered[1]) : 1;
      list = { type: 'list', isOrdered: Boolean(ordered), marker: kind, start, isLoose: false, items: [] };
      place(depth, list);
    }
    list.items.push(item);
    const contentIndent = markerIndent + marker.length + padding;
    stack.push({ kind: 'item', children: item.children, contentIndent, list });
    const task = line.indent() < 4 ? TASK.exec(line.trimmed()) : null;
    if (task) {
      item.isChecked = task[1] !== ' ';
      line.skipMarker(task[0].length);
    }
    return true;
  }

  function startsOtherBlock(line: LineCursor): boolean {
    const source = line.trimmed();
    return (
      line.indent() > 3 ||
      /^>/.test(source) ||
      BULLET.test(source) ||
      ORDERED.test(source) ||
      ATX_HEADING.test(source) ||
      FENCE_OPEN.test(source) ||
      THEMATIC_BREAK.test(source) ||
      findHtmlEnd(source, true) !== undefined
    );
  }

  /** Turns the open paragraph into a heading or a table, if this line asks for it. */
  function convertParagraph(line: LineCursor): boolean {
    const paragraph = leaf;
    if (paragraph?.kind !== 'paragraph' || line.indent() > 3) return false;
    const source = line.trimmed();
    const depth = stack.length;
    if (SETEXT_UNDERLINE.test(source)) {
      closeLeaf();
      const last = tip().children.at(-1);
      if (last?.type !== 'paragraph' || last.text === '') return false;
      tip().children.pop();
      tip().children.push({ type: 'heading', depth: source.startsWith('=') ? 1 : 2, text: last.text });
      return true;
    }
    const align = readDelimiterRow(source);
    const header = align && splitRow(paragraph.lines.at(-1) ?? '');
    if (!align || header?.length !== align.length) return false;
    const table = openTable(header, align, startsOtherBlock);
    paragraph.lines.pop();
    if (paragraph.lines.length === 0) {
      leaf = null;
      tip().children.pop();
      if (depth === 1) tops.pop();
    }
    placeLeaf(depth, table, paragraph.lastLineOffset);
    return true;
  }

  /** Opens the block without children that starts with this line, if one other than a paragraph does. */
  function openBlock(line: LineCursor, depth: number, isInParagraph: boolean): boolean {
    const source = line.trimmed();
    const heading = ATX_HEADING.exec(source);
    if (heading) {
      const text = (heading[2] ?? '').replace(/(?:^|[ \t]+)#+[ \t]*$/, '').trim();
      place(depth, { type: 'heading', depth: heading[1]?.length ?? 1, text });
      return true;
    }
    const fence = openFence(line);
    if (fence) {
      placeLeaf(depth, fence);
      return true;
    }
    const reading =
      openHtml(line, isInParagraph) ?? openMath(line, () => text.slice(lineEnd, lineEnd + MATH_LOOKAHEAD));
    if (reading) {
      placeLeaf(depth, reading);
      return feed(line);
    }
    if (!THEMATIC_BREAK.test(source)) return false;
    place(depth, { type: 'rule' });
    return true;
  }

  function continueLeaf(line: LineCursor): boolean {
    if (leaf?.kind === 'lines') return feed(line);
    if (leaf?.kind !== 'indented') return !line.isBlank() && convertParagraph(line);
    if (line.indent() < 4 && !line.isBlank()) {
      closeLeaf();
      return false;
    }
    isAfterBlank = line.isBlank();
    line.skipColumns(4);
    leaf.lines.push(line.rest());
    return true;
  }

  function readLine(line: LineCursor) {
    let depth = matchContainers(line);
    if (depth === stack.length ? continueLeaf(line) : false) return;
    if (line.isBlank()) {
      if (depth < stack.length || leaf?.kind === 'paragraph') closeLeaf();
      stack.length = depth;
      if (tip().kind !== 'quote') isAfterBlank = true;
      return;
    }
    while (!line.isBlank()) {
      const isInParagraph = leaf?.kind === 'paragraph' && depth === stack.length;
      if (line.indent() > 3) {
        if (leaf?.kind === 'paragraph') break;
        const code = openIndentedCode();
        placeLeaf(depth, code);
        line.skipColumns(4);
        code.lines.push(line.rest());
        return;
      }
      const hasRoom = depth <= MAX_DEPTH;
      if (hasRoom && (openQuote(line, depth) || openItem(line, depth, isInParagraph))) depth = stack.length;
      else if (openBlock(line, depth, isInParagraph)) return;
      else break;
    }
    if (line.isBlank()) return;
    if (leaf?.kind === 'paragraph') {
      leaf.lines.push(line.trimmed());
      leaf.lastLineOffset = lineOffset;
    } else {
      const keepDefinitions = (found: Definition[]) => tops.at(-1)?.definitions.push(...found);
      placeLeaf(depth, openParagraph(line.trimmed(), lineOffset, keepDefinitions));
    }
  }

  /**
   * The start of the last block. While it is mathematics without an end, the one before it: should no end come, its lines
   * are the rest of that paragraph.
   */
  function restartPoint(): number {
    const isUndecided = leaf?.block.type === 'math' && !leaf.block.isClosed;
    return tops.at(isUndecided ? -2 : -1)?.startOffset ?? baseOffset;
  }

  let restartOffset = baseOffset;
  while (lineOffset < text.length) {
    const end = text.indexOf('\n', lineOffset);
    lineEnd = end === -1 ? text.length : end;
    if (end === -1) restartOffset = restartPoint();
    readLine(openLine(text.slice(lineOffset, lineEnd)));
    lineOffset = lineEnd + 1;
  }
  if (text.endsWith('\n')) restartOffset = restartPoint();
  closeLeaf();
  return { blocks: root.children.map((block, index) => toTopBlock(block, tops[index])), restartOffset };
}

function toTopBlock(block: Block, top: Omit<TopBlock, 'block'> | undefined): TopBlock {
  return { block, startOffset: top?.startOffset ?? 0, definitions: top?.definitions ?? [] };
}
