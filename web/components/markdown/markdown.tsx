/**
 * The body of a message: Markdown as React elements, streaming. Knows nothing of the product. Never sets HTML: raw HTML in a
 * message is text. Code colours, mathematics and diagrams load when a message holds them.
 */
import { useMemo, useState } from 'react';
import { LongText } from './render/long-text';
import { MessageBlocks } from './render/message-blocks';
import { dropHalfMark } from './stream/calm';
import '../../styles/markdown.css';
import '../../styles/markdown-code.css';

/**
 * Texts that are longer when they are first shown stay as written until someone asks, in characters: about 100 pages. Parsing
 * takes little, building the page from more than that seconds on a phone.
 */
const MAX_FORMATTED_LENGTH = 250_000;

export interface MarkdownProps {
  text: string;
  /** The text still arrives: what is half-written is shown as what it will be. */
  isStreaming: boolean;
  /** Shows single line ends as written (what a person typed) instead of flowing them (what a model wrote). */
  keepsLineEnds?: boolean;
}

export function Markdown({ text, isStreaming, keepsLineEnds = false }: MarkdownProps) {
  const [isPlain, setIsPlain] = useState(text.length > MAX_FORMATTED_LENGTH);
  const shownText = useMemo(() => (isStreaming ? dropHalfMark(text) : text), [text, isStreaming]);
  if (isPlain && text.length > MAX_FORMATTED_LENGTH) return <LongText text={text} onFormat={() => setIsPlain(false)} />;
  return <MessageBlocks text={shownText} isStreaming={isStreaming} keepsLineEnds={keepsLineEnds} />;
}
