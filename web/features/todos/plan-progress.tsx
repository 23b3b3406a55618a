import { usePlanState } from './plan/use-plan';
import { progressOf, progressWords } from './plan/words';

/** `4/9`, for a button that has no room for more; nothing without a plan. */
export function PlanProgress() {
  const done = usePlanState((state) => progressOf(state.tasks).done);
  const total = usePlanState((state) => state.tasks.length);
  const words = usePlanState((state) => progressWords(progressOf(state.tasks)));
  if (total === 0) return null;
  return (
    <span className="tabular text-small">
      <span aria-hidden>
        {done}/{total}
      </span>
      <span className="sr-only">, {words}</span>
    </span>
  );
}
