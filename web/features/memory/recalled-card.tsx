import { ChevronRight, History } from 'lucide-react';
import type { PagedMessage } from '../../../server/domains/messages/schema';
import { Moment } from '../../components/moment';
import { cx } from '../../lib/class-names';
import { plural } from '../../lib/format';
import { usePlaces } from '../../lib/places';
import { useKeptOpen } from '../../lib/use-kept-open';
import { readRecall } from './read-recall';

/** What memory brought back before an answer: one quiet line, which opens to the passages. */
export default function RecalledCard({ message }: { message: PagedMessage }) {
  const [isOpen, toggle] = useKeptOpen(`recalled-${message.metadata.runId}-${message.sequenceNumber}`);
  const places = usePlaces();
  const passages = readRecall(message);
  return (
    <article aria-label="Recalled" className="text-meta">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="-ml-1 flex min-h-7 items-center gap-2 rounded-control px-1 text-muted hover:text-text"
      >
        <History size={14} aria-hidden className="shrink-0 text-accent" />
        Recalled {plural(passages.length, 'passage')} from earlier
        <ChevronRight
          size={14}
          aria-hidden
          className={cx('text-faint transition-transform duration-150', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <ol className="mt-1 space-y-2 border-line border-l pl-3.5">
          {passages.map(({ firstSequence, startedAt, text }) => (
            <li key={`${firstSequence}-${text.length}`}>
              <p className="tabular flex items-baseline gap-2 text-faint text-small">
                {startedAt !== null && <Moment at={startedAt} />}
                {firstSequence !== null && places !== null && (
                  <button
                    type="button"
                    title="Go to this message"
                    onClick={() => places.ask('message', firstSequence)}
                    className="rounded-control text-accent-text hover:underline"
                  >
                    #{firstSequence}
                  </button>
                )}
              </p>
              <p dir="auto" className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
                {text}
              </p>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}
