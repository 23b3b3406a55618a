import { Fragment, memo } from 'react';
import type { CodeToken } from './highlighter';

/** The lines of a block: coloured ones first, the rest plain. Both make the same boxes, so nothing moves when colours come. */
export function CodeLines({ text, coloured }: { text: string; coloured: CodeToken[][] }) {
  if (coloured.length === 0) return text;
  const rest = text.split('\n').slice(coloured.length);
  return (
    <>
      {coloured.map((tokens, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Fragment key={index}>
          {index > 0 && '\n'}
          <CodeLine tokens={tokens} />
        </Fragment>
      ))}
      {rest.length > 0 && `\n${rest.join('\n')}`}
    </>
  );
}

export const CodeLine = memo(function CodeLine({ tokens }: { tokens: CodeToken[] }) {
  return tokens.map(({ text, className }, index) =>
    className ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
      <span key={index} className={className}>
        {text}
      </span>
    ) : (
      text
    ),
  );
});
