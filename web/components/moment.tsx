import { cx } from '../lib/class-names';
import { formatMoment, formatWhen } from '../lib/format';

/** When something was, short; in full as a tooltip, which is written only when somebody points at it: there are many on a page. */
export function Moment({ at, className }: { at: string; className?: string }) {
  return (
    <time
      dateTime={at}
      className={cx('tabular', className)}
      onPointerEnter={(event) => {
        event.currentTarget.title = formatMoment(at);
      }}
    >
      {formatWhen(at)}
    </time>
  );
}
