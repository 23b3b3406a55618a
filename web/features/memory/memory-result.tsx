import { CornerUpLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { MemoryHit } from '../../../server/domains/memory/schema';
import { Moment } from '../../components/moment';
import { formatSize } from '../../lib/format';
import { usePlaces } from '../../lib/places';
import { excerptAround, markWords } from './mark-words';

/** More of one passage opens on demand, in characters. */
const SHOWN_CHARS = 420;

interface MemoryResultProps {
  hit: MemoryHit;
  /** The open chat. */
  sessionId: string;
  query: string;
}

/** One passage as the agent would get it: where it stands, when it was said, its words. */
export function MemoryResult({ hit, sessionId, query }: MemoryResultProps) {
  const { firstSequence, lastSequence, startedAt, text, section, similarity } = hit;
  const places = usePlaces();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? text : excerptAround(text, query, SHOWN_CHARS);
  const isHere = hit.sessionId === sessionId;
  const where =
    section ?? (firstSequence === lastSequence ? `#${firstSequence}` : `#${firstSequence} to #${lastSequence}`);
  return (
    <li className="px-4 py-2.5 text-meta">
      <p className="tabular flex items-baseline gap-2 text-faint text-small">
        <Moment at={startedAt} />
        <span className="min-w-0 truncate">{where}</span>
        {similarity !== null && <span title="How well it fits, from 0 to 1">{similarity.toFixed(2)}</span>}
        <span className="flex-1" />
        {firstSequence !== null && isHere && places !== null && (
          <button
            type="button"
            onClick={() => places.ask('message', firstSequence)}
            className="inline-flex shrink-0 items-center gap-1 rounded-control px-1 text-accent-text hover:bg-hover"
          >
            <CornerUpLeft size={12} aria-hidden />
            Go there
          </button>
        )}
      </p>
      {!isHere && (
        <Link
          href={`/s/${hit.sessionId}${firstSequence === null ? '' : `#m${firstSequence}`}`}
          className="block truncate rounded-control font-medium text-accent-text hover:underline"
        >
          {hit.sessionName ?? 'A chat without a name'}
        </Link>
      )}
      <p dir="auto" className="mt-0.5 whitespace-pre-wrap text-text [overflow-wrap:anywhere]">
        {markWords(shown, query).map(({ text: part, isMarked, at }) =>
          isMarked ? (
            <mark key={at} className="rounded-[3px] bg-accent-soft text-accent-text">
              {part}
            </mark>
          ) : (
            part
          ),
        )}
      </p>
      {shown !== text && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="rounded-control text-accent-text text-small hover:underline"
        >
          Show all {formatSize(text.length)}
        </button>
      )}
    </li>
  );
}
