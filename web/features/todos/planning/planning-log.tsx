import { useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AppRouter } from '../../../../server/trpc/router';
import { Button } from '../../../components/button';
import { Moment } from '../../../components/moment';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import { wordsForError } from '../../../lib/error-words';
import { formatCount, formatDuration, plural } from '../../../lib/format';
import { useTRPC } from '../../../lib/trpc';

type Planning = inferRouterOutputs<AppRouter>['debug']['planning']['items'][number];
type Phase = Planning['phases'][number];

const phaseNames: Record<Phase['phase'], string> = { analysis: 'Analysis', review: 'Review', plan: 'Plan' };

/** What came of it, and why the page may show less than three phases. */
const outcomes: Record<Planning['outcome'], { words: string; look: string }> = {
  planned: { words: 'A plan was made', look: 'text-done' },
  direct: { words: 'No plan was needed', look: 'text-muted' },
  analysed: { words: 'The task was looked at', look: 'text-muted' },
  unreadable: { words: 'No usable plan came of it', look: 'text-failed' },
  running: { words: 'Not finished', look: 'text-warning' },
};

/** The planning view: what the model was asked before each planned turn, and what it answered, newest first. */
export default function PlanningLog({ sessionId }: { sessionId: string }) {
  const { data, error, refetch } = useQuery(useTRPC().debug.planning.queryOptions({ sessionId }));
  if (error !== null && data === undefined) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3 text-meta text-muted">
        {wordsForError(error)}
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-faint text-meta">
        <Spinner /> Reading
      </p>
    );
  }
  if (data.items.length === 0) {
    return (
      <p className="text-muted text-read">
        Nothing was planned in this chat yet. With <code>/plan</code> before a message Navi looks at the task first and
        writes a plan; what it thought on the way stands here.
      </p>
    );
  }
  return (
    <ol aria-label="Plannings" className="space-y-10">
      {data.items.map((planning) => (
        <PlanningEntry key={planning.id} planning={planning} sessionId={sessionId} />
      ))}
    </ol>
  );
}

function PlanningEntry({ planning, sessionId }: { planning: Planning; sessionId: string }) {
  const { phases, outcome, createdAt, afterSequence, planSequence } = planning;
  const { words, look } = outcomes[outcome];
  const durationMs = phases.reduce((sum, phase) => sum + phase.durationMs, 0);
  const jump = 'rounded-control text-accent-text hover:underline';
  return (
    <li>
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-line border-b pb-2">
        <h2 className={cx('font-semibold text-read', look)}>{words}</h2>
        <p className="tabular flex flex-wrap gap-x-3 text-meta text-muted">
          <Moment at={createdAt} />
          {phases.length > 0 && <span>{formatDuration(durationMs)}</span>}
          <Link href={`/s/${sessionId}#m${afterSequence}`} className={jump}>
            The message
          </Link>
          {planSequence !== null && (
            <Link href={`/s/${sessionId}#m${planSequence}`} className={jump}>
              The plan
            </Link>
          )}
        </p>
      </header>
      {phases.length === 0 && <p className="mt-3 text-meta text-muted">It was cut off before the first answer.</p>}
      {phases.map((phase) => (
        <PhaseView key={phase.phase} phase={phase} />
      ))}
    </li>
  );
}

function PhaseView({ phase }: { phase: Phase }) {
  const { tokensIn, tokensOut } = phase;
  return (
    <section aria-label={phaseNames[phase.phase]} className="mt-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <h3 className="font-medium text-sm">{phaseNames[phase.phase]}</h3>
        <p className="tabular flex gap-x-3 text-faint text-small">
          <span>{formatDuration(phase.durationMs)}</span>
          {tokensIn !== null && <span>{plural(tokensIn, 'token')} in</span>}
          {tokensOut !== null && <span>{formatCount(tokensOut)} out</span>}
        </p>
      </div>
      <p
        dir="auto"
        className="mt-1.5 whitespace-pre-wrap rounded-card border border-line bg-raised px-4 py-3 text-read [overflow-wrap:anywhere]"
      >
        {phase.output.trim() || <span className="text-faint">It said nothing.</span>}
      </p>
      <Folded title="What it was asked" text={phase.prompt} />
      {phase.thinking.trim() !== '' && <Folded title="What it thought" text={phase.thinking} />}
    </section>
  );
}

function Folded({ title, text }: { title: string; text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="mt-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-7 items-center gap-1 rounded-control text-meta text-muted hover:text-text"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={cx('transition-transform duration-150', isOpen && 'rotate-90')}
        />
        {title}
      </button>
      {isOpen && (
        <p
          dir="auto"
          className="mt-1 ml-[7px] whitespace-pre-wrap border-line border-l pl-3.5 text-meta text-muted [overflow-wrap:anywhere]"
        >
          {text.trim()}
        </p>
      )}
    </div>
  );
}
