/** A message's Markdown, parsed again only where an append can have changed it. */
import { parseBlocks } from '../parse/blocks';
import type { Definition, TopBlock } from '../parse/types';
import { reuseBlock } from './reuse';

export interface ParsedDocument {
  blocks: TopBlock[];
  /** Link definitions by normalised label; the first of a label counts. Keeps its identity while it is unchanged. */
  definitions: ReadonlyMap<string, Definition>;
}

export interface MarkdownDocument {
  /** Parses the text. Appending to the last text costs as much as its last block, any other change the whole text. */
  update(text: string): ParsedDocument;
}

/** Creates the parser of one message. */
export function createMarkdownDocument(): MarkdownDocument {
  let source = '';
  let restartOffset = 0;
  let parsed: ParsedDocument = { blocks: [], definitions: new Map() };

  function update(text: string): ParsedDocument {
    const normalised = normalise(text);
    if (normalised === source && parsed.blocks.length > 0) return parsed;
    const isAppend = restartOffset > 0 && normalised.startsWith(source.slice(0, restartOffset));
    const frozen = isAppend ? parsed.blocks.filter((top) => top.startOffset < restartOffset) : [];
    const next = parseBlocks(normalised, isAppend ? restartOffset : 0);
    const tail = next.blocks.map((top, index) => {
      const block = reuseBlock(parsed.blocks[frozen.length + index]?.block, top.block);
      return { ...top, block };
    });
    const blocks = [...frozen, ...tail];
    parsed = { blocks, definitions: collectDefinitions(blocks, parsed.definitions) };
    source = normalised;
    restartOffset = next.restartOffset;
    return parsed;
  }

  return { update };
}

function normalise(text: string): string {
  const unified = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return unified.includes('\0') ? unified.replaceAll('\0', '\ufffd') : unified;
}

function collectDefinitions(
  blocks: TopBlock[],
  previous: ReadonlyMap<string, Definition>,
): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  for (const { definitions } of blocks) {
    for (const definition of definitions) if (!found.has(definition.label)) found.set(definition.label, definition);
  }
  const isSame =
    found.size === previous.size &&
    [...found].every(([label, { href, title }]) => {
      const before = previous.get(label);
      return before?.href === href && before.title === title;
    });
  return isSame ? previous : found;
}
