import { Spinner } from '../../components/spinner';
import { cx } from '../../lib/class-names';
import type { PlanningStatus } from './plan/state';
import { usePlanState } from './plan/use-plan';

const phaseWords: Record<PlanningStatus['phase'], string> = {
  analysis: 'Looking at what is asked',
  review: 'Checking the approach',
  plan: 'Writing the plan',
};

/** What the planning phase is at, while there is one. */
export function PlanningLine({ className }: { className?: string }) {
  const planning = usePlanState((state) => state.planning);
  const isLive = usePlanState((state) => state.runState === 'running');
  return (
    <div role="status" aria-label="Planning">
      {planning !== null && isLive && (
        <p className={cx('fade-in flex items-center gap-2 text-meta text-muted', className)}>
          <Spinner />
          <span className="min-w-0 truncate">
            <span dir="auto">{planning.text || phaseWords[planning.phase]}</span>
          </span>
        </p>
      )}
    </div>
  );
}

/** In the place of the words for what goes on: those of the planning phase while there is one. */
export function PlanningWords({ otherwise }: { otherwise: string }) {
  const words = usePlanState(({ planning }) =>
    planning === null ? null : planning.text || phaseWords[planning.phase],
  );
  return words ?? otherwise;
}
