import { memo } from 'react';
import { CodeBlock } from '../code/code-block';
import { LazyMath } from '../math/lazy-math';
import type { Block, BlockOf, ListItem } from '../parse/types';
import { calmLastBlock } from '../stream/calm';
import { isWrittenFromRight } from './direction';
import { InlineView } from './inline-view';
import { TableView } from './table-view';

interface BlockProps {
  block: Block;
  /** The block is the last of a message that still arrives. */
  isOpenEnded: boolean;
}

/** One block. Memoised by identity: an append renders only what it changed. */
export const BlockView = memo(function BlockView({ block: given, isOpenEnded }: BlockProps) {
  const block = isOpenEnded ? calmLastBlock(given) : given;
  switch (block.type) {
    case 'paragraph':
      if (block.text === '') return null;
      return (
        <p dir="auto">
          <InlineView text={block.text} isOpenEnded={isOpenEnded} />
        </p>
      );
    case 'heading': {
      const Heading = `h${block.depth}` as 'h1';
      return (
        <Heading dir="auto">
          <InlineView text={block.text} isOpenEnded={isOpenEnded} />
        </Heading>
      );
    }
    case 'code':
      return <CodeBlock text={block.text} info={block.language} isClosed={block.isClosed || !isOpenEnded} />;
    case 'math':
      return <LazyMath text={block.text} source={block.text} isDisplay isPending={!block.isClosed} />;
    case 'html':
      return (
        <p className="md-html" dir="auto">
          {block.text}
        </p>
      );
    case 'rule':
      return <hr />;
    case 'quote':
      return (
        <blockquote dir="auto">
          <BlockList blocks={block.children} isOpenEnded={isOpenEnded} />
        </blockquote>
      );
    case 'list':
      return <ListView list={block} isOpenEnded={isOpenEnded} />;
    case 'table':
      return <TableView table={block} isOpenEnded={isOpenEnded} />;
  }
});

/** Blocks in order; only the last can still grow. */
export function BlockList({ blocks, isOpenEnded }: { blocks: Block[]; isOpenEnded: boolean }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place, and appends keep it
    <BlockView key={index} block={block} isOpenEnded={isOpenEnded && index === blocks.length - 1} />
  ));
}

function ListView({ list, isOpenEnded }: { list: BlockOf<'list'>; isOpenEnded: boolean }) {
  const items = list.items.map((item, index) => (
    <ItemView
      // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place, and appends keep it
      key={index}
      item={item}
      isLoose={list.isLoose}
      isOpenEnded={isOpenEnded && index === list.items.length - 1}
    />
  ));
  const className = list.items.some((item) => item.isChecked !== null) ? 'md-tasks' : undefined;
  // `auto` would look past its items, which choose for themselves: the side of the numbers is that of the first one.
  const first = list.items[0]?.children[0];
  const dir = first?.type === 'paragraph' && isWrittenFromRight(first.text) ? 'rtl' : undefined;
  if (!list.isOrdered) {
    return (
      <ul className={className} dir={dir}>
        {items}
      </ul>
    );
  }
  return (
    <ol className={className} dir={dir} start={list.start === 1 ? undefined : list.start}>
      {items}
    </ol>
  );
}

const ItemView = memo(function ItemView(props: { item: ListItem; isLoose: boolean; isOpenEnded: boolean }) {
  const { item, isLoose, isOpenEnded } = props;
  const last = item.children.length - 1;
  const children = item.children.map((block, index) => {
    const isTail = isOpenEnded && index === last;
    if (!isLoose && block.type === 'paragraph') {
      // biome-ignore lint/suspicious/noArrayIndexKey: see BlockList
      return <InlineView key={index} text={block.text} isOpenEnded={isTail} />;
    }
    // biome-ignore lint/suspicious/noArrayIndexKey: see BlockList
    return <BlockView key={index} block={block} isOpenEnded={isTail} />;
  });
  // The paragraphs of a loose item choose for themselves, and `auto` would find nothing else in it.
  const dir = isLoose ? undefined : 'auto';
  if (item.isChecked === null) return <li dir={dir}>{children}</li>;
  return (
    <li dir={dir} className="md-task">
      <input type="checkbox" checked={item.isChecked} disabled aria-label={item.isChecked ? 'Done' : 'Not done'} />
      <div>{children}</div>
    </li>
  );
});
