import { memo, useMemo } from 'react';

/** Characters in one piece: a few screens, so that what is out of view costs no layout. */
const PIECE_LENGTH = 8000;

/** A text too long to be formatted unasked, as written. */
export const LongText = memo(function LongText({ text, onFormat }: { text: string; onFormat: () => void }) {
  const pieces = useMemo(() => splitText(text), [text]);
  return (
    <div className="md md-long">
      <div className="md-note" role="note">
        <span>This message is very long ({formatLength(text.length)}), so it is shown as written.</span>
        <button type="button" className="md-tool" onClick={onFormat}>
          Show formatted
        </button>
      </div>
      <div className="md-plain" dir="auto">
        {pieces.map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place, and appends keep it
          <Piece key={index} text={piece} />
        ))}
      </div>
    </div>
  );
});

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="md-chunk">{text}</div>;
});

function formatLength(characters: number): string {
  return `${(characters / 1_000_000).toFixed(1)} million characters`;
}

/** Cuts at line ends where there are any; never inside a surrogate pair. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PIECE_LENGTH);
    const lineEnd = end < text.length ? text.lastIndexOf('\n', end) : -1;
    if (lineEnd > start) end = lineEnd + 1;
    else if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end += 1;
    // The line end that a piece closes with would show as an empty line: the next piece starts on a new line anyway.
    pieces.push(text.slice(start, lineEnd > start ? end - 1 : end));
    start = end;
  }
  return pieces;
}
