import { Layers2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Compression } from '../../../../server/domains/compression/schema';
import { cx } from '../../../lib/class-names';
import { formatCount, formatDuration } from '../../../lib/format';
import { triggerWords } from '../words';

/** The frame that all states share, so that one turns into the next without a jump. */
export function CardFrame({
  label,
  look = 'border-line bg-sunken',
  children,
}: {
  label: string;
  look?: string;
  children: ReactNode;
}) {
  return (
    <article aria-label={label} className={cx('rounded-card border text-meta', look)}>
      {children}
    </article>
  );
}

export const rowLook = 'flex min-h-10 items-center gap-2.5 py-1 pr-1.5 pl-3.5';
export const factsLook = 'tabular flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3.5 gap-y-0.5';

/** What a finished compression is known by. */
export type FinishedCompression = Pick<
  Compression,
  'method' | 'trigger' | 'model' | 'durationMs' | 'tokensBefore' | 'tokensAfter' | 'messagesBefore' | 'messagesAfter'
> & { undoneAt: string | null };

export function CompressionIcon({ compression }: { compression: FinishedCompression }) {
  const isUndone = compression.undoneAt !== null;
  return compression.method === 'hard-truncate' && !isUndone ? (
    <TriangleAlert size={15} aria-hidden className="shrink-0 text-warning" />
  ) : (
    <Layers2 size={15} aria-hidden className={cx('shrink-0', isUndone ? 'text-faint' : 'text-accent')} />
  );
}

/** The one line of a finished compression: what happened, and its numbers. Stands inside `factsLook`. */
export function CompressionFacts({ compression }: { compression: FinishedCompression }) {
  const { method, trigger, model, durationMs, tokensBefore, tokensAfter, messagesBefore, messagesAfter } = compression;
  const isUndone = compression.undoneAt !== null;
  const title = isUndone
    ? 'Compression undone'
    : method === 'hard-truncate'
      ? 'Older messages left the context, without a summary'
      : 'Context compressed';
  const changeLook = isUndone ? 'text-faint line-through' : 'text-muted';
  return (
    <>
      <span className={cx('font-medium', isUndone ? 'text-muted' : 'text-text')}>{title}</span>
      <span className={changeLook}>
        <Change from={tokensBefore} to={tokensAfter} unit="tokens" />
      </span>
      <span className={changeLook}>
        <Change from={messagesBefore} to={messagesAfter} unit="messages" />
      </span>
      <span className="text-faint" title={triggerWords[trigger]}>
        {trigger}
      </span>
      <span className="max-w-40 truncate text-faint" title={model}>
        {model.slice(model.indexOf('/') + 1).replace(/:latest$/, '')}
      </span>
      {durationMs !== null && <span className="text-faint">{formatDuration(durationMs)}</span>}
    </>
  );
}

function Change({ from, to, unit }: { from: number; to: number | null; unit: string }) {
  return (
    <>
      {formatCount(from)} <span aria-hidden>→</span>
      <span className="sr-only">to</span> {to === null ? '?' : formatCount(to)} {unit}
    </>
  );
}
