import type { ReactNode } from 'react';
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/popover';
import { cx } from '../../../lib/class-names';
import { formatCount } from '../../../lib/format';

export interface ContextUse {
  contextTokenCount: number;
  contextWindow: number;
  /** Fills the popover. */
  details: ReactNode;
}

const RADIUS = 6.5;
const LENGTH = 2 * Math.PI * RADIUS;

/** How full the model's window is: accent to 65 %, amber to 90 %, red beyond. */
export function ContextRing({ contextTokenCount, contextWindow, details }: ContextUse) {
  const share = contextWindow > 0 ? contextTokenCount / contextWindow : 0;
  const percent = Math.round(share * 100);
  const look = share <= 0.65 ? 'text-accent' : share <= 0.9 ? 'text-warning' : 'text-failed';
  // Nothing was counted before the first answer; "0 %" would be a number that nobody knows.
  const isKnown = contextTokenCount > 0;
  const label = `Context: ${isKnown ? `${percent} % of ${formatCount(contextWindow)} tokens` : 'not counted yet'}`;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <button
          type="button"
          aria-label={label}
          title={label}
          className="tabular flex h-8 shrink-0 items-center gap-1.5 rounded-control px-2 text-meta text-muted hover:bg-hover hover:text-text"
        >
          <svg viewBox="0 0 18 18" aria-hidden className={cx('-rotate-90 size-[17px]', look)}>
            <circle cx="9" cy="9" r={RADIUS} fill="none" stroke="var(--line)" strokeWidth="2.5" />
            <circle
              cx="9"
              cy="9"
              r={RADIUS}
              fill="none"
              stroke="currentColor"
              strokeWidth="2.5"
              strokeDasharray={`${Math.min(1, share) * LENGTH} ${LENGTH}`}
            />
          </svg>
          {/* Beside both buttons a phone has room for the number or for the model's name. */}
          <span className="max-sm:group-data-crowded/tools:hidden">{isKnown ? percent : '–'} %</span>
        </button>
      </PopoverTrigger>
      {/* What Navi says in it belongs to the context's own feature; `details` is only made when it is open. */}
      <PopoverContent side="top" align="end" aria-label="What the model reads" className="w-84 text-meta">
        {details}
      </PopoverContent>
    </Popover>
  );
}
