import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../../lib/class-names';
import { plural } from '../../../lib/format';
import { usePlanState } from '../plan/use-plan';
import { Subagent } from './subagent';
import { isAtWork, useChildren } from './use-children';

/** One level below the step in progress: who is at work on it. */
export function WorkingSubagents() {
  const sessionId = usePlanState((state) => state.sessionId);
  const working = useChildren(sessionId).filter(isAtWork);
  if (working.length === 0) return null;
  return (
    <ul aria-label="Subagents at work" data-nested className="mt-1 space-y-1 border-line border-l pl-2.5">
      {working.map((child) => (
        <li key={child.id}>
          <Subagent child={child} />
        </li>
      ))}
    </ul>
  );
}

/** Below the steps: the subagents whose work is over, and those that work on no step of the plan. */
export function OtherSubagents() {
  const sessionId = usePlanState((state) => state.sessionId);
  const hasHost = usePlanState((state) => state.tasks.some((step) => step.status === 'in_progress'));
  const children = useChildren(sessionId);
  const [isOpen, setIsOpen] = useState(false);
  const ended = children.filter((child) => !isAtWork(child));
  return (
    <div className="px-1.5 pt-2">
      {!hasHost && <WorkingSubagents />}
      {ended.length > 0 && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="flex min-h-7 items-center gap-1 rounded-control text-meta text-muted hover:text-text"
          >
            <ChevronRight
              size={14}
              aria-hidden
              className={cx('transition-transform duration-150', isOpen && 'rotate-90')}
            />
            {plural(ended.length, 'subagent')}
          </button>
          {isOpen && (
            <ul aria-label="Subagents whose work is over" className="ml-[7px] space-y-1 border-line border-l pl-2.5">
              {ended.map((child) => (
                <li key={child.id}>
                  <Subagent child={child} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}
