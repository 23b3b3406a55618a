import { cx } from '../lib/class-names';
import { splitShownName, visibleName } from '../lib/file-names';

/** A name on one line. Where there is no room its stem is cut and its extension stays; each reads by itself, in its own direction. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const { stem, end } = splitShownName(name);
  return (
    <span dir="auto" title={visibleName(name)} className={cx('flex min-w-0 whitespace-pre', className)}>
      <bdi className="min-w-0 overflow-hidden text-ellipsis">{stem}</bdi>
      {end !== '' && <bdi className="shrink-0">{end}</bdi>}
    </span>
  );
}
