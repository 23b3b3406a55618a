import { splitRow } from '../parse/table';
import type { Block } from '../parse/types';

/**
 * A last line that is only the beginning of a mark: a bullet, an underline, a fence, a table's delimiter row. What it will be
 * shows with the next characters; until then it would flash as a heading or as stray signs.
 */
const MARK_ONLY = /^[ \t>]*(?:[-:|][-:| \t]*|=+|#{1,6}|`{1,2}|~{1,2}|[*+>])[ \t]*$/;

/** The text of a message that still arrives, without a half-written mark on its last line. */
export function dropHalfMark(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  return text.length - start < 200 && MARK_ONLY.test(text.slice(start)) ? text.slice(0, start) : text;
}

/** How the last block of a message that still arrives is shown: as what it is most likely to become. */
export function calmLastBlock(block: Block): Block {
  if (block.type === 'paragraph' && /^\|[^\n]*[^\n|][^\n]*$/.test(block.text)) {
    const header = splitRow(block.text);
    return { type: 'table', header, align: header.map(() => null), rows: [] };
  }
  if (block.type === 'code' && !block.isClosed && /(?:^|\n)(?:`{1,9}|~{1,9})$/.test(block.text)) {
    return { ...block, text: block.text.replace(/\n?(?:`+|~+)$/, '') };
  }
  return block;
}
