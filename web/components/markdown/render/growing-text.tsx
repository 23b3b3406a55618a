import { memo, useLayoutEffect, useRef, useState } from 'react';

/**
 * Text that is still coming. What is new is appended to the one text node, so that the browser shapes only that; React would
 * set the node's whole text, and in a long paragraph that costs several times as much with every few words.
 */
export const GrowingText = memo(function GrowingText({ text }: { text: string }) {
  const span = useRef<HTMLSpanElement>(null);
  // React draws the first text only, and so never touches the node again.
  const [first] = useState(text);
  useLayoutEffect(() => {
    const node = span.current?.firstChild;
    if (node instanceof Text && text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
    else if (span.current !== null) span.current.textContent = text;
  }, [text]);
  return <span ref={span}>{first}</span>;
});
