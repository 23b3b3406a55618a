import { Bot, ChevronRight } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { ChildSession } from '../../../../server/domains/sessions/schema';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import { useTRPCClient } from '../../../lib/trpc';
import { StatusIcon } from '../panel/status-icon';
import type { Tasks } from '../plan/operations';
import { isRunLive } from '../plan/state';
import { currentIndex, progressOf, progressWords, shownStatus, statusWords } from '../plan/words';
import { type Activity, createSubagentStore } from './subagent-store';
import { isAtWork } from './use-children';

interface SubagentProps {
  child: ChildSession;
  /** False where its task stands above already. */
  isNamed?: boolean;
}

/** A subagent in place: its task, what it is at, how far its plan is; opens to its steps. */
export function Subagent({ child, isNamed = true }: SubagentProps) {
  const client = useTRPCClient();
  const [isOpen, setIsOpen] = useState(false);
  const isLive = isAtWork(child);
  const store = useMemo(() => createSubagentStore({ client, sessionId: child.id }), [client, child.id]);
  // One that came to its end changes no more: read once, and not followed.
  useEffect(() => store.start(isLive), [store, isLive]);
  const activity = useSyncExternalStore(store.subscribe, store.getActivity);
  const tasks = useSyncExternalStore(store.subscribe, () => store.plan.getState().tasks);
  const isPlanLive = useSyncExternalStore(store.subscribe, () => isLive && isRunLive(store.plan.getState()));
  const words = activityWords(child, activity);
  const progress = progressOf(tasks);
  return (
    <article aria-label={`Subagent: ${child.name ?? ''}`} className="text-meta">
      <div className="flex min-h-7 items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control text-start text-muted hover:text-text"
        >
          {isLive ? <Spinner /> : <Bot size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-faint" />}
          <span dir="auto" className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
            {isNamed ? (child.name ?? 'Subagent') : (words ?? (isLive ? 'Beginning' : 'What it did'))}
          </span>
          <ChevronRight
            size={13}
            aria-hidden
            className={cx('shrink-0 text-faint transition-transform duration-150', isOpen && 'rotate-90')}
          />
        </button>
        {progress.total > 0 && (
          <span className="tabular shrink-0 text-faint text-small" title={progressWords(progress)}>
            {progress.done}/{progress.total}
          </span>
        )}
      </div>
      {isNamed && words !== null && (
        <p className={cx('truncate pl-[22px] text-small', activity?.isAsking ? 'text-warning' : 'text-faint')}>
          {words}
        </p>
      )}
      {isOpen ? (
        <div className="pb-1 pl-[22px]">
          <ChildSteps tasks={tasks} isLive={isPlanLive} />
          <Link
            href={`/s/${child.id}`}
            className="inline-flex min-h-7 items-center rounded-control text-accent-text text-small hover:underline"
          >
            Open its chat
          </Link>
        </div>
      ) : (
        isLive && <ChildSteps tasks={tasks.slice(currentIndex(tasks)).slice(0, 1)} isLive={isPlanLive} isNested />
      )}
    </article>
  );
}

/** `Step 4 · read file`; null for one that came to its end well. */
function activityWords({ runState }: ChildSession, activity: Activity | null): string | null {
  if (runState === 'interrupted') return 'Cut off when the server stopped';
  if (activity === null) return null;
  if (activity.isAsking) return `Waits for your answer in its chat: ${activity.toolName?.replaceAll('_', ' ')}`;
  const tool = activity.toolName === null ? '' : ` · ${activity.toolName.replaceAll('_', ' ')}`;
  return activity.step === 0 ? null : `Step ${activity.step}${tool}`;
}

interface ChildStepsProps {
  tasks: Tasks;
  isLive: boolean;
  isNested?: boolean;
}

/** Its plan, to look at: what is in it is the subagent's business. */
function ChildSteps({ tasks, isLive, isNested = false }: ChildStepsProps) {
  if (tasks.length === 0) return isNested ? null : <p className="text-faint text-small">It made no plan.</p>;
  return (
    <ol aria-label="Its steps" className={cx('space-y-0.5', isNested && 'pl-[22px]')}>
      {tasks.map((step) => {
        const status = shownStatus(step, isLive);
        return (
          <li key={step.id} className="flex items-start gap-1.5">
            <span className="inline-flex h-[1.3rem] items-center">
              <StatusIcon status={status} size={14} />
            </span>
            <span className="sr-only">{statusWords[status]}: </span>
            <span
              dir="auto"
              className={cx(
                'line-clamp-2 min-w-0 [overflow-wrap:anywhere]',
                status === 'in_progress' ? 'text-text' : 'text-muted',
                status === 'skipped' && 'line-through decoration-faint',
              )}
            >
              {step.text}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
