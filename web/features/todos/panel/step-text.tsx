import { type ReactNode, useState } from 'react';
import { cx } from '../../../lib/class-names';

/** A longer text is cut on screen until it is asked for, in characters. */
const LONG_TEXT_CHARS = 280;

interface StepTextProps {
  text: string;
  isStrong: boolean;
  isStruck: boolean;
  /** Marks that stay with the last word instead of standing alone in a line. */
  tail: ReactNode;
}

export function StepText({ text, isStrong, isStruck, tail }: StepTextProps) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && text.length > LONG_TEXT_CHARS * 1.2;
  const shown = isCut ? `${text.slice(0, LONG_TEXT_CHARS).trimEnd()}…` : text;
  const lastWordAt = tail === null ? -1 : shown.search(/(?<=\s)\S{1,24}$/);
  const look = cx(isStrong && 'font-medium', isStruck && 'line-through decoration-faint');
  const flowing = cx(look, 'whitespace-pre-wrap');
  return (
    <>
      {lastWordAt === -1 ? (
        <>
          <span className={flowing}>{shown}</span>
          {tail}
        </>
      ) : (
        <>
          <span className={flowing}>{shown.slice(0, lastWordAt)}</span>
          <span className="whitespace-nowrap">
            <span className={look}>{shown.slice(lastWordAt)}</span>
            {tail}
          </span>
        </>
      )}
      {isCut && (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => setIsWhole(true)}
          className="ms-1 rounded-control text-accent-text text-small hover:underline"
        >
          Show all
        </button>
      )}
    </>
  );
}
