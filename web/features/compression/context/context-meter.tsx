import type { ContextMeter as Meter } from '../../../../server/domains/compression/schema';
import { cx } from '../../../lib/class-names';
import { formatCount } from '../../../lib/format';
import { type BreakdownPart, breakdownParts, sourceWords } from '../words';

/** One hue each, of equal weight; room that is kept free is hatched. */
const colours: Record<Exclude<BreakdownPart, 'reserve'>, string> = {
  system: 'light-dark(oklch(0.58 0.09 285), oklch(0.68 0.09 285))',
  tools: 'light-dark(oklch(0.66 0.09 320), oklch(0.72 0.09 320))',
  plan: 'light-dark(oklch(0.64 0.1 160), oklch(0.74 0.1 160))',
  summaries: 'light-dark(oklch(0.7 0.1 85), oklch(0.78 0.1 85))',
  recalled: 'light-dark(oklch(0.68 0.1 50), oklch(0.74 0.1 50))',
  history: 'var(--accent)',
  images: 'light-dark(oklch(0.62 0.11 10), oklch(0.7 0.11 10))',
};
const hatched = 'repeating-linear-gradient(135deg, var(--line-strong) 0 1.5px, transparent 1.5px 4.5px)';
const lookOf = (part: BreakdownPart) => (part === 'reserve' ? hatched : colours[part]);

/** What the next request is made of, against the window: a bar, and the same in numbers. */
export function ContextMeter({ meter }: { meter: Meter }) {
  const { tokens, windowTokens, triggerTokens, breakdown, source } = meter;
  const share = (count: number) => `${Math.min(100, (count / Math.max(1, windowTokens)) * 100)}%`;
  const isOver = tokens >= triggerTokens;
  return (
    <div className="text-meta">
      <p className="tabular flex items-baseline justify-between gap-3">
        <span>
          <span className="font-medium text-text">{formatCount(tokens)}</span>{' '}
          <span className="text-muted">of {formatCount(windowTokens)} tokens</span>
        </span>
        <span className="text-faint">{Math.round((tokens / Math.max(1, windowTokens)) * 100)} %</span>
      </p>
      <div className="relative mt-2 pb-4">
        <div aria-hidden className="flex h-2.5 overflow-hidden rounded-full bg-hover">
          {breakdownParts.map(
            ({ part }) =>
              part !== 'reserve' &&
              breakdown[part] > 0 && (
                <span
                  key={part}
                  className="h-full border-bg border-r last:border-r-0"
                  style={{ width: share(breakdown[part]), background: lookOf(part) }}
                />
              ),
          )}
          <span className="flex-1" />
          <span className="h-full opacity-70" style={{ width: share(breakdown.reserve), background: hatched }} />
        </div>
        <span
          aria-hidden
          className={cx('absolute -top-0.5 h-3.5 w-px', isOver ? 'bg-failed' : 'bg-text')}
          style={{ left: share(triggerTokens) }}
        />
        <span
          className={cx(
            '-translate-x-full absolute bottom-[-3px] whitespace-nowrap pr-1 text-small',
            isOver ? 'text-failed' : 'text-faint',
          )}
          style={{ left: share(triggerTokens) }}
        >
          compresses from {formatCount(triggerTokens)}
        </span>
      </div>
      <dl className="tabular mt-2 space-y-1">
        {breakdownParts.map(
          ({ part, name, hint }) =>
            breakdown[part] > 0 && (
              <div key={part} title={hint} className="flex items-center justify-between gap-4">
                <dt className="flex items-center gap-2 text-muted">
                  <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: lookOf(part) }} />
                  {name}
                </dt>
                <dd>{formatCount(breakdown[part])}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="mt-2.5 text-faint text-small">{sourceWords[source]}</p>
    </div>
  );
}
