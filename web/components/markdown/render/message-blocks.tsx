import { memo, useMemo, useState } from 'react';
import type { TopBlock } from '../parse/types';
import { createMarkdownDocument } from '../stream/document';
import { BlockView } from './block-view';
import { MarkdownContext } from './context';
import { useGrowingCount } from './use-growing-count';

interface MessageBlocksProps {
  text: string;
  isStreaming: boolean;
  keepsLineEnds: boolean;
}

/** Blocks in one chunk of a long message: chunks out of view cost no layout. */
const CHUNK_BLOCKS = 60;
/** Fewer chunks are laid out as a whole: heights that are only estimated make a page scroll less evenly. */
const MAX_WHOLE_CHUNKS = 8;

/** A parsed message. Blocks that an append leaves as they were are not rendered again. */
export function MessageBlocks({ text, isStreaming, keepsLineEnds }: MessageBlocksProps) {
  const [document] = useState(createMarkdownDocument);
  const [mathTime] = useState(() => ({ spentMs: 0 }));
  const { blocks, definitions } = useMemo(() => document.update(text), [document, text]);
  const context = useMemo(() => ({ definitions, mathTime }), [definitions, mathTime]);
  const shownCount = useGrowingCount(blocks.length);
  const chunks = splitChunks(blocks.slice(0, shownCount));
  const className = ['md', keepsLineEnds && 'md-line-ends', chunks.length > MAX_WHOLE_CHUNKS && 'md-long']
    .filter(Boolean)
    .join(' ');
  return (
    <MarkdownContext value={context}>
      <div className={className}>
        {chunks.map((chunk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: chunks have no identity but their place, and appends keep it
          <div key={index} className="md-chunk">
            <Chunk blocks={chunk} from={index * CHUNK_BLOCKS} tailIndex={isStreaming ? blocks.length - 1 : -1} />
          </div>
        ))}
      </div>
    </MarkdownContext>
  );
}

function splitChunks(blocks: TopBlock[]): TopBlock[][] {
  const chunks: TopBlock[][] = [];
  for (let start = 0; start < blocks.length; start += CHUNK_BLOCKS)
    chunks.push(blocks.slice(start, start + CHUNK_BLOCKS));
  return chunks;
}

interface ChunkProps {
  blocks: TopBlock[];
  from: number;
  /** Index in the message of the block that still grows, -1 for none. */
  tailIndex: number;
}

const Chunk = memo(
  function Chunk({ blocks, from, tailIndex }: ChunkProps) {
    return blocks.map(({ block }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place, and appends keep it
      <BlockView key={index} block={block} isOpenEnded={from + index === tailIndex} />
    ));
  },
  (before, after) =>
    before.blocks.length === after.blocks.length &&
    before.blocks.every((top, index) => top.block === after.blocks[index]?.block) &&
    isTailIn(before) === isTailIn(after),
);

function isTailIn({ blocks, from, tailIndex }: ChunkProps): boolean {
  return tailIndex >= from && tailIndex < from + blocks.length;
}
