import { cx } from '../../../lib/class-names';
import type { Progress } from '../plan/words';

/** Done, failed and skipped steps as one thin bar. Decorative: the words stand above it. */
export function ProgressBar({ progress }: { progress: Progress }) {
  const { done, failed, skipped, total } = progress;
  const part = (count: number, colour: string) => (
    <span
      className={`${colour} transition-[width] duration-150`}
      style={{ width: total === 0 ? 0 : `${(count / total) * 100}%` }}
    />
  );
  return (
    <div aria-hidden className={cx('flex h-[3px] overflow-hidden rounded-full bg-hover', total === 0 && 'invisible')}>
      {part(done, 'bg-done')}
      {part(failed, 'bg-failed')}
      {part(skipped, 'bg-line-strong')}
    </div>
  );
}
