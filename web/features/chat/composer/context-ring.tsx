import { Popover, PopoverContent, PopoverTrigger } from '../../../components/popover';
import { cx } from '../../../lib/class-names';
import { formatCount } from '../../../lib/format';

export interface ContextUse {
  contextTokenCount: number;
  contextWindow: number;
  contextTokenSource: 'real' | 'calibrated' | 'estimated';
}

const sources: Record<ContextUse['contextTokenSource'], string> = {
  real: 'Counted by the model itself.',
  calibrated: 'Estimated, corrected by earlier counts of this model.',
  estimated: 'Estimated from the length of the text.',
};

const RADIUS = 6.5;
const LENGTH = 2 * Math.PI * RADIUS;

/** How full the model's window is: accent to 65 %, amber to 90 %, red beyond. */
export function ContextRing({ contextTokenCount, contextWindow, contextTokenSource }: ContextUse) {
  const share = contextWindow > 0 ? contextTokenCount / contextWindow : 0;
  const percent = Math.round(share * 100);
  const look = share <= 0.65 ? 'text-accent' : share <= 0.9 ? 'text-warning' : 'text-failed';
  const label = `Context: ${percent} % of ${formatCount(contextWindow)} tokens`;
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
          {percent} %
        </button>
      </PopoverTrigger>
      <PopoverContent side="top" align="end" className="w-72 text-meta">
        <h3 className="font-medium text-sm">What the model reads</h3>
        <div className="mt-3 h-1.5 overflow-hidden rounded-full bg-hover">
          <div
            className={cx('h-full rounded-full bg-current', look)}
            style={{ width: `${Math.min(100, share * 100)}%` }}
          />
        </div>
        <dl className="tabular mt-3 space-y-1">
          <Line name="In the context" value={contextTokenCount} />
          <Line name="Window of the model" value={contextWindow} />
          <Line name="Left" value={Math.max(0, contextWindow - contextTokenCount)} />
        </dl>
        <p className="mt-3 border-line border-t pt-3 text-muted">{sources[contextTokenSource]}</p>
      </PopoverContent>
    </Popover>
  );
}

function Line({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd>{formatCount(value)} tokens</dd>
    </div>
  );
}
