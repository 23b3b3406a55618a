import type { Block, ListItem } from '../parse/types';

/**
 * The new block with every part that equals the old one replaced by the old object, so that identity tells what changed
 * and an appended word renders one paragraph, not the whole list around it.
 */
export function reuseBlock(previous: Block | undefined, next: Block): Block {
  if (previous?.type !== next.type) return next;
  if (next.type === 'quote' && previous.type === 'quote') {
    const children = reuseBlocks(previous.children, next.children);
    return children === previous.children ? previous : { ...next, children };
  }
  if (next.type === 'list' && previous.type === 'list') {
    const items = reuseList(previous.items, next.items, reuseItem);
    const isSame = items === previous.items && next.isLoose === previous.isLoose && next.start === previous.start;
    return isSame && next.marker === previous.marker ? previous : { ...next, items };
  }
  if (next.type === 'table' && previous.type === 'table') {
    const rows = reuseList(previous.rows, next.rows, reuseStrings);
    const header = reuseStrings(previous.header, next.header);
    const align = previous.align.join() === next.align.join() ? previous.align : next.align;
    const isSame = rows === previous.rows && header === previous.header && align === previous.align;
    return isSame ? previous : { ...next, rows, header, align };
  }
  return areSameLeaves(previous, next) ? previous : next;
}

function areSameLeaves(previous: Block, next: Block): boolean {
  const before = Object.entries(previous);
  const after: Record<string, unknown> = { ...next };
  return before.every(([key, value]) => after[key] === value);
}

function reuseBlocks(previous: Block[], next: Block[]): Block[] {
  return reuseList(previous, next, reuseBlock);
}

function reuseItem(previous: ListItem | undefined, next: ListItem): ListItem {
  if (!previous) return next;
  const children = reuseBlocks(previous.children, next.children);
  const isSame = children === previous.children && previous.isChecked === next.isChecked;
  return isSame ? previous : { ...next, children };
}

function reuseStrings(previous: string[] | undefined, next: string[]): string[] {
  return previous?.length === next.length && next.every((value, index) => value === previous[index]) ? previous : next;
}

function reuseList<T>(previous: T[], next: T[], reuse: (previous: T | undefined, next: T) => T): T[] {
  const items = next.map((item, index) => reuse(previous[index], item));
  return items.length === previous.length && items.every((item, index) => item === previous[index]) ? previous : items;
}
