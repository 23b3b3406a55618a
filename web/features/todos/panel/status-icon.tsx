import { Circle, CircleCheck, CircleDot, CircleMinus, CirclePause, CircleX } from 'lucide-react';
import { cx } from '../../../lib/class-names';
import type { ShownStatus } from '../plan/words';

const icons = {
  pending: Circle,
  in_progress: CircleDot,
  paused: CirclePause,
  done: CircleCheck,
  failed: CircleX,
  skipped: CircleMinus,
};

const looks: Record<ShownStatus, string> = {
  pending: 'text-faint',
  in_progress: 'text-running',
  paused: 'text-warning',
  done: 'text-done',
  failed: 'text-failed',
  skipped: 'text-faint',
};

/** ○ ◎ ✓ ✗ — and the pause. Decorative: the words stand beside it. */
export function StatusIcon({ status, size = 17 }: { status: ShownStatus; size?: number }) {
  const Icon = icons[status];
  return <Icon size={size} strokeWidth={1.75} aria-hidden className={cx('shrink-0', looks[status])} />;
}
