import { ChevronDown, TriangleAlert, Undo2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { Compression, CompressionPhase, LiveCompression } from '../../../../server/domains/compression/schema';
import { IconButton } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import { formatCount } from '../../../lib/format';
import { useKeptOpen } from '../../../lib/use-kept-open';
import { nextWords, progressWords } from '../words';
import { CardBody } from './card-body';
import { CardFrame, CompressionFacts, CompressionIcon, factsLook, rowLook } from './compression-facts';
import { Elapsed } from './elapsed';

interface CompressionCardProps {
  sessionId: string;
  compressionId: string;
  compression: Compression | null;
  live: {
    facts: LiveCompression;
    progress: { phase: CompressionPhase; attempt: number; part: number | null; parts: number | null } | null;
  } | null;
  isLatest: boolean;
  onUndo(): Promise<void>;
  onRetry(): Promise<unknown>;
}

/** One compression, from its beginning to what became of it: one line, which opens to everything about it. */
export default function CompressionCard(props: CompressionCardProps) {
  const { compression, live } = props;
  if (compression === null) return live === null ? null : <LiveCard {...live} />;
  return compression.status === 'failed' ? (
    <FailedCard compression={compression} onRetry={props.onRetry} />
  ) : (
    <DoneCard {...props} compression={compression} />
  );
}

function LiveCard({ facts, progress }: NonNullable<CompressionCardProps['live']>) {
  return (
    <CardFrame label="Compression under way">
      <div className={rowLook}>
        <Spinner />
        <div className={factsLook}>
          <span className="font-medium text-text">Compressing the context</span>
          <span role="status" className="text-muted">
            {progressWords(progress)}
          </span>
          <span className="text-faint">{formatCount(facts.tokensBefore)} tokens</span>
          <Elapsed since={facts.startedAt} />
        </div>
      </div>
    </CardFrame>
  );
}

function DoneCard({ sessionId, compression, isLatest, onUndo }: CompressionCardProps & { compression: Compression }) {
  const [isOpen, toggle] = useKeptOpen(`compression-${compression.id}`);
  const [isBusy, setIsBusy] = useState(false);
  const bodyId = useId();
  const isUndone = compression.undoneAt !== null;
  return (
    <CardFrame label="Compression" look={isUndone ? 'border-line border-dashed' : undefined}>
      <div className={rowLook}>
        <CompressionIcon compression={compression} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={toggle}
          className={cx(factsLook, 'rounded-control text-start')}
        >
          <CompressionFacts compression={compression} />
        </button>
        {isLatest && !isUndone && (
          <button
            type="button"
            disabled={isBusy}
            title="Bring back exactly what the model read before"
            onClick={() => {
              setIsBusy(true);
              void onUndo().finally(() => setIsBusy(false));
            }}
            className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control px-2 text-muted hover:bg-hover hover:text-text disabled:opacity-50"
          >
            <Undo2 size={14} aria-hidden />
            Undo
          </button>
        )}
        <IconButton
          size="small"
          label={isOpen ? 'Close details' : 'Show details'}
          onClick={toggle}
          aria-expanded={isOpen}
        >
          <ChevronDown size={16} className={cx('transition-transform duration-150', isOpen && 'rotate-180')} />
        </IconButton>
      </div>
      {isOpen && (
        <div id={bodyId} className="border-line border-t">
          <CardBody sessionId={sessionId} compression={compression} />
        </div>
      )}
    </CardFrame>
  );
}

function FailedCard({ compression, onRetry }: { compression: Compression; onRetry(): Promise<unknown> }) {
  const [isBusy, setIsBusy] = useState(false);
  const isRetryable = compression.reason !== 'fixed-overhead' && compression.reason !== 'nothing-to-compress';
  return (
    <CardFrame label="Compression" look="bg-warning-soft border-[color-mix(in_oklab,var(--warning)_30%,var(--line))]">
      <div className="flex items-start gap-2.5 py-2.5 pr-2.5 pl-3.5">
        <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warning" />
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <p className="text-text">{compression.explanation ?? 'The context was not compressed. It is as it was.'}</p>
          <p className="mt-0.5 text-muted">{nextWords(compression)}</p>
        </div>
        {isRetryable && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              setIsBusy(true);
              void onRetry().finally(() => setIsBusy(false));
            }}
            className="h-7 shrink-0 rounded-control px-2 font-medium text-text hover:bg-hover disabled:opacity-50"
          >
            Try again
          </button>
        )}
      </div>
    </CardFrame>
  );
}
