import { takeDefinitions } from './definitions';
import { decodeEscapes } from './entities';
import type { LineCursor } from './line';
import { findMathBlock } from './math-source';
import { FENCE_CLOSE, FENCE_OPEN, findHtmlEnd } from './patterns';
import { fitRow } from './table';
import type { Align, Block, BlockOf, Definition } from './types';

/** A block that takes lines of text and is still open. `block` is filled in when it closes. */
export interface Leaf {
  kind: 'paragraph' | 'lines' | 'indented';
  block: Block;
  lines: string[];
  /** Offset in the text of the last line taken: a table may take it away from its paragraph. */
  lastLineOffset: number;
  /** For `lines`: takes one line; true when the block ends with it, 'refused' when the line belongs elsewhere. */
  take?: (cursor: LineCursor) => boolean | 'refused';
  /** Finishes the block from its lines. */
  close: () => void;
}

export function openParagraph(
  line: string,
  lineOffset: number,
  onDefinitions: (definitions: Definition[]) => void,
): Leaf {
  const block: BlockOf<'paragraph'> = { type: 'paragraph', text: '' };
  const leaf: Leaf = {
    kind: 'paragraph',
    block,
    lines: [line],
    lastLineOffset: lineOffset,
    close: () => {
      const text = leaf.lines.join('\n').trimEnd();
      const { definitions, rest } = takeDefinitions(text);
      block.text = rest;
      onDefinitions(definitions);
    },
  };
  return leaf;
}

/** A fenced code block, when `cursor` stands on its opening line. */
export function openFence(cursor: LineCursor): Leaf | null {
  const match = FENCE_OPEN.exec(cursor.trimmed());
  const fence = match?.[1] ?? match?.[3];
  if (!match || !fence) return null;
  const indent = cursor.indent();
  const info = decodeEscapes((match[2] ?? match[4] ?? '').trim());
  const block: BlockOf<'code'> = { type: 'code', language: info, text: '', isClosed: false };
  const lines: string[] = [];
  return {
    kind: 'lines',
    block,
    lines,
    lastLineOffset: 0,
    take: (line) => {
      const mayClose = line.firstChar() === fence.charAt(0) && line.indent() < 4;
      const close = mayClose ? FENCE_CLOSE.exec(line.trimmed())?.[1] : undefined;
      if (close?.startsWith(fence)) {
        block.isClosed = true;
        return true;
      }
      line.skipColumns(indent);
      lines.push(line.rest());
      return false;
    },
    close: () => {
      block.text = lines.join('\n');
    },
  };
}

/** Raw HTML, kept as text. Ends with its own mark or with a blank line. */
export function openHtml(cursor: LineCursor, isInParagraph: boolean): Leaf | null {
  const first = cursor.trimmed();
  const end = findHtmlEnd(first, isInParagraph);
  if (end === undefined) return null;
  const block: BlockOf<'html'> = { type: 'html', text: '' };
  const lines: string[] = [];
  return {
    kind: 'lines',
    block,
    lines,
    lastLineOffset: 0,
    take: (line) => {
      if (end === null && line.isBlank()) return 'refused';
      lines.push(line.rest());
      return end?.test(line.rest()) ?? false;
    },
    close: () => {
      block.text = lines.join('\n').trimEnd();
    },
  };
}

/** Display mathematics that stands on lines of its own. */
export function openMath(cursor: LineCursor, following: () => string): Leaf | null {
  const start = findMathBlock(cursor.trimmed().trimEnd(), following);
  if (!start) return null;
  const block: BlockOf<'math'> = { type: 'math', text: '', isClosed: false };
  const lines: string[] = [];
  let isFirst = true;
  return {
    kind: 'lines',
    block,
    lines,
    lastLineOffset: 0,
    take: (line) => {
      if (line.isBlank()) return 'refused';
      const text = isFirst ? line.trimmed().slice(2) : line.rest();
      isFirst = false;
      const end = text.indexOf(start.close);
      lines.push(end === -1 ? text : text.slice(0, end));
      block.isClosed = end !== -1;
      return block.isClosed;
    },
    close: () => {
      block.text = lines.join('\n').trim();
    },
  };
}

export function openIndentedCode(): Leaf {
  const block: BlockOf<'code'> = { type: 'code', language: '', text: '', isClosed: true };
  const lines: string[] = [];
  return {
    kind: 'indented',
    block,
    lines,
    lastLineOffset: 0,
    close: () => {
      while (lines.at(-1)?.trim() === '') lines.pop();
      block.text = lines.join('\n');
    },
  };
}

export function openTable(header: string[], align: Align[], startsBlock: (line: LineCursor) => boolean): Leaf {
  const rows: string[][] = [];
  const block: BlockOf<'table'> = { type: 'table', align, header, rows };
  return {
    kind: 'lines',
    block,
    lines: [],
    lastLineOffset: 0,
    take: (line) => {
      if (line.isBlank() || startsBlock(line)) return 'refused';
      rows.push(fitRow(line.trimmed(), align.length));
      return false;
    },
    close: () => {},
  };
}
