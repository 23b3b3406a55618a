/**
 * The body of a message: Markdown as React elements, streaming. Knows nothing of the product. Never sets HTML: raw HTML in a
 * message is text. Code colours, mathematics and diagrams load when a message holds them.
 */
import { useMemo, useState } from 'react';
import { BlockView } from './render/block-view';
import { MarkdownContext } from './render/context';
import { dropHalfMark } from './stream/calm';
import { createMarkdownDocument } from './stream/document';
import '../../styles/markdown.css';

export interface MarkdownProps {
  text: string;
  /** The text still arrives: what is half-written is shown as what it will be. */
  isStreaming: boolean;
  /** Shows single line ends as written (what a person typed) instead of flowing them (what a model wrote). */
  keepsLineEnds?: boolean;
}

export function Markdown({ text, isStreaming, keepsLineEnds = false }: MarkdownProps) {
  const [document] = useState(createMarkdownDocument);
  const shownText = isStreaming ? dropHalfMark(text) : text;
  const { blocks, definitions } = useMemo(() => document.update(shownText), [document, shownText]);
  const context = useMemo(() => ({ definitions }), [definitions]);
  const last = blocks.length - 1;
  return (
    <MarkdownContext value={context}>
      <div className={keepsLineEnds ? 'md md-line-ends' : 'md'}>
        {blocks.map(({ block }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place, and appends keep it
          <BlockView key={index} block={block} isOpenEnded={isStreaming && index === last} />
        ))}
      </div>
    </MarkdownContext>
  );
}
