/** Shapes of parsed Markdown. Blocks keep the source of their inline text; it is parsed where it is shown. */

export type Align = 'left' | 'center' | 'right' | null;

export interface ListItem {
  /** null: an ordinary item; otherwise the state of a task. */
  isChecked: boolean | null;
  children: Block[];
}

/** `[label]: href "title"`: nothing to show, known to the links of the whole message. */
export interface Definition {
  label: string;
  href: string;
  title: string | null;
}

export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'heading'; depth: number; text: string }
  | { type: 'code'; language: string; text: string; isClosed: boolean }
  | { type: 'math'; text: string; isClosed: boolean }
  | { type: 'html'; text: string }
  | { type: 'rule' }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; isOrdered: boolean; marker: string; start: number; isLoose: boolean; items: ListItem[] }
  | { type: 'table'; align: Align[]; header: string[]; rows: string[][] };

export type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

/** A block at the top level with the offset of its first line in the (normalised) message text. */
export interface TopBlock {
  block: Block;
  startOffset: number;
  /** Link definitions found inside the block. */
  definitions: Definition[];
}

export type InlineWrap = 'em' | 'strong' | 'del' | 'sub' | 'sup' | 'kbd' | 'mark' | 'u';

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'wrap'; tag: InlineWrap; children: Inline[] }
  | { type: 'link'; href: string | null; title: string | null; children: Inline[] }
  | { type: 'image'; href: string; title: string | null; alt: string }
  | { type: 'math'; text: string; isDisplay: boolean; isClosed: boolean; source: string };
