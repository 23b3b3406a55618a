import { useContext, useState } from 'react';
import { formatSize } from '../../../lib/format';
import { PrintContext } from '../../../lib/print';

/** A very long text is cut on screen until it is asked for: the browser lays out what is read. In characters. */
const SHOWN_CHARS = 6_000;

export function LongText({ text }: { text: string }) {
  const isPrinted = useContext(PrintContext);
  const [isWhole, setIsWhole] = useState(false);
  if (isPrinted || isWhole || text.length <= SHOWN_CHARS * 1.2) return text;
  return (
    <>
      {text.slice(0, SHOWN_CHARS)}…
      <button
        type="button"
        onClick={() => setIsWhole(true)}
        className="mt-1 block rounded-control text-meta text-accent hover:underline"
      >
        Show all {formatSize(text.length)}
      </button>
    </>
  );
}
