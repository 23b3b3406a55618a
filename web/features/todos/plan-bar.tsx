import { ChevronUp } from 'lucide-react';
import { StatusIcon } from './panel/status-icon';
import { isRunLive } from './plan/state';
import { usePlanState } from './plan/use-plan';
import { currentIndex, progressOf, progressWords, shownStatus, statusWords } from './plan/words';

/** Where there is no room for the panel: `4 / 9 done · ◎ Check the invoices`, in one line above the composer. */
export function PlanBar({ onOpen }: { onOpen(): void }) {
  const tasks = usePlanState((state) => state.tasks);
  const isLive = usePlanState(isRunLive);
  if (tasks.length === 0) return null;
  const step = tasks[currentIndex(tasks)];
  const status = step === undefined ? null : shownStatus(step, isLive);
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-haspopup="dialog"
      className="mb-2 flex h-9 w-full items-center gap-2 rounded-card border border-line bg-sunken px-3 text-meta text-muted hover:bg-hover hover:text-text"
    >
      <span className="sr-only">Show the plan: </span>
      <span className="tabular shrink-0">{progressWords({ ...progressOf(tasks), failed: 0 })}</span>
      {step !== undefined && status !== null && (
        <>
          <span aria-hidden className="text-faint">
            ·
          </span>
          <StatusIcon status={status} size={15} />
          <span className="sr-only">{statusWords[status]}: </span>
          <span dir="auto" className="min-w-0 flex-1 truncate text-start text-text">
            {step.text}
          </span>
        </>
      )}
      {step === undefined && <span className="flex-1" />}
      <ChevronUp size={15} aria-hidden className="shrink-0 text-faint" />
    </button>
  );
}
