import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Search } from 'lucide-react';
import { useState } from 'react';
import type { Compression } from '../../../../server/domains/compression/schema';
import { Markdown } from '../../../components/markdown/markdown';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import { wordsForError } from '../../../lib/error-words';
import { formatCount, formatMoment, plural } from '../../../lib/format';
import { usePlaces } from '../../../lib/places';
import { useTRPC } from '../../../lib/trpc';
import { useKeptOpen } from '../../../lib/use-kept-open';
import { faultsSentence, summaryBody, triggerWords } from '../words';
import { CoveredMessages } from './covered-messages';

interface CardBodyProps {
  sessionId: string;
  compression: Compression;
}

/** What an open card shows: how it came about, what can be searched for, the summary, and what it stands for. */
export function CardBody({ sessionId, compression }: CardBodyProps) {
  const { id: compressionId, trigger, focus, faults, windowTokens, createdAt, breadcrumbs, coveredCount } = compression;
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.compression.get.queryOptions({ sessionId, compressionId }));
  const [isCoveredShown, toggleCovered] = useKeptOpen(`covered-${compressionId}`);
  const isTruncation = compression.method === 'hard-truncate';
  const attempts = faultsSentence(faults);
  return (
    <div className="space-y-4 px-3.5 pt-3 pb-3.5">
      <div className="text-muted">
        <p>
          {triggerWords[trigger]}. Window of {formatCount(windowTokens)} tokens. {formatMoment(createdAt)}.
        </p>
        {focus !== null && <p dir="auto">Kept in particular: {focus}</p>}
        {attempts !== null && <p>{attempts}</p>}
        {isTruncation && (
          <p className="text-text">
            No summary could be used, so the oldest messages were taken out of what the model reads. Nothing is lost:
            they stay in the chat, and the model finds them by searching.
          </p>
        )}
      </div>
      {breadcrumbs.length > 0 && <Breadcrumbs words={breadcrumbs} />}
      <div>
        <h4 className="mb-1 font-medium text-faint text-small">
          {isTruncation ? 'What the model is told instead' : 'Summary that the model reads instead'}
        </h4>
        {data === undefined ? (
          <div className="min-h-10 text-muted">{error === null ? <Spinner /> : wordsForError(error)}</div>
        ) : data.summary === null ? (
          <p className="text-muted">It is not there any more.</p>
        ) : (
          <div dir="auto" className="text-sm [overflow-wrap:anywhere]">
            <Markdown text={summaryBody(data.summary)} isStreaming={false} />
          </div>
        )}
      </div>
      <div>
        <button
          type="button"
          aria-expanded={isCoveredShown}
          onClick={toggleCovered}
          className="-ml-1.5 flex h-7 items-center gap-1 rounded-control px-1.5 text-accent-text hover:bg-hover"
        >
          <ChevronRight
            size={15}
            aria-hidden
            className={cx('transition-transform duration-150', isCoveredShown && 'rotate-90')}
          />
          {isCoveredShown ? 'Hide' : 'Show'} {plural(coveredCount, 'covered message')}
        </button>
        {isCoveredShown && <CoveredMessages sessionId={sessionId} compressionId={compressionId} />}
      </div>
    </div>
  );
}

/** How many breadcrumbs stand open; more fold behind a button. */
const SHOWN_BREADCRUMBS = 12;

/** Names, paths and amounts of what left; a click looks them up in the memory panel. */
function Breadcrumbs({ words }: { words: readonly string[] }) {
  const places = usePlaces();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? words : words.slice(0, SHOWN_BREADCRUMBS);
  return (
    <ul aria-label="Breadcrumbs" className="flex flex-wrap gap-1.5">
      {shown.map((word) => (
        <li key={word} className="max-w-full">
          <button
            type="button"
            dir="auto"
            title={`Search earlier messages for “${word}”`}
            disabled={places === null}
            onClick={() => places?.ask('memory', word)}
            className="flex max-w-full items-center gap-1 rounded-full border border-line bg-raised px-2 py-px text-muted text-small enabled:hover:border-line-strong enabled:hover:text-text"
          >
            <Search size={11} aria-hidden className="shrink-0 text-faint" />
            <span className="truncate">{word}</span>
          </button>
        </li>
      ))}
      {shown.length < words.length && (
        <li>
          <button
            type="button"
            onClick={() => setIsWhole(true)}
            className="rounded-full px-2 py-px text-accent-text text-small hover:bg-hover"
          >
            {words.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}
