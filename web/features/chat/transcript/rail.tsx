import { createContext, useContext } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { cx } from '../../../lib/class-names';
import { formatWhen } from '../../../lib/format';
import { usePlaces } from '../../../lib/places';
import { readMarker } from '../stream/compression';

/** What a row's rail needs to know beside whether it is in context. */
export interface RailFacts {
  coveredBy: PagedMessage | null;
  /** The row's message, where it has one. */
  sequenceNumber: number | null;
}

/** Null where nobody may know what the model reads: on the page of a share. */
export const RailContext = createContext<RailFacts | null>(null);

const looks = {
  context: 'w-[3px] bg-[color-mix(in_oklab,var(--accent)_26%,var(--bg))]',
  summarised:
    'w-[3px] bg-[radial-gradient(circle_at_center,color-mix(in_oklab,var(--accent)_50%,transparent)_0_1.5px,transparent_1.8px)] bg-[length:3px_8px]',
  out: 'w-[3px] bg-[color-mix(in_oklab,var(--line)_60%,var(--bg))]',
};

/** The line at the left of a message: solid while the model reads it, dotted once summarised, faint otherwise. */
export function Rail({ isInContext }: { isInContext: boolean }) {
  const facts = useContext(RailContext);
  return facts === null ? null : <RailLine isInContext={isInContext} {...facts} />;
}

function RailLine({ isInContext, coveredBy, sequenceNumber }: RailFacts & { isInContext: boolean }) {
  const places = usePlaces();
  const state = isInContext ? 'context' : coveredBy === null ? 'out' : 'summarised';
  const words = isInContext ? 'In the model’s context' : wordsOf(coveredBy);
  // Rows end between pixels: opaque and a pixel into the next one, the line shows no seam.
  const look = cx('-bottom-px absolute top-0 left-1.5 sm:left-1', looks[state]);
  return (
    <>
      {/* Only what is no longer read is worth saying aloud. */}
      {!isInContext && <span className="sr-only">{words}. </span>}
      {sequenceNumber === null || places === null ? (
        <span aria-hidden title={words} data-rail={state} className={look} />
      ) : (
        // For the pointer only: the keyboard reaches the same view through the dock.
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          title={`${words}. Show the context`}
          data-rail={state}
          onClick={() => places.ask('context', sequenceNumber)}
          className={cx(look, 'before:absolute before:inset-y-0 before:-inset-x-1 hover:opacity-70')}
        />
      )}
    </>
  );
}

function wordsOf(coveredBy: PagedMessage | null): string {
  const compression = coveredBy === null ? null : readMarker(coveredBy);
  if (coveredBy === null || compression === null) return 'Not in the model’s context';
  const when = formatWhen(coveredBy.createdAt);
  return compression.method === 'hard-truncate'
    ? `Taken out of the context at ${when}, without a summary. The exact words are kept`
    : `Summarised by the compression of ${when}. The exact words are kept`;
}
