import { Trash2 } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { Button } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import { wordsForError } from '../../../lib/error-words';
import { usePlan, usePlanState } from '../plan/use-plan';
import { usePlanActions } from '../plan/use-plan-actions';
import { PlanningLine } from '../planning-line';
import { OtherSubagents } from '../subagents/panel-subagents';
import { AddStep } from './add-step';
import { PlanHeader } from './plan-header';
import { RecoveryNote } from './recovery-note';
import { StepList } from './step-list';

/** The plan of the open chat: what is done, what is next, and everything a person may change about it. */
export function PlanPanel() {
  const { store } = usePlan();
  const actions = usePlanActions();
  const isKnown = usePlanState((state) => state.snapshot !== null);
  const isEmpty = usePlanState((state) => state.tasks.length === 0);
  const isReadOnly = usePlanState((state) => state.isRemoved);
  const loadError = usePlanState((state) => state.loadError);
  const scroller = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState('');
  const [rescue, setRescue] = useState<{ text: string | null; count: number }>({ text: null, count: 0 });
  const onRescue = useCallback((text: string) => setRescue(({ count }) => ({ text, count: count + 1 })), []);
  const focusLast = () => {
    const boxes = scroller.current?.querySelectorAll<HTMLElement>('[data-step-box]');
    boxes?.[boxes.length - 1]?.focus();
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PlanHeader actions={actions} isReadOnly={isReadOnly} />
      <PlanningLine className="px-4 pb-2" />
      <RecoveryNote />
      {isReadOnly && (
        <p className="mx-4 mb-2 flex items-center gap-2 text-meta text-muted">
          <Trash2 size={14} aria-hidden className="shrink-0 text-faint" />
          This chat was deleted. Its plan can be read, not changed.
        </p>
      )}
      {loadError !== null && (
        <div role="alert" className="flex flex-col items-start gap-3 px-4 py-2 text-meta text-muted">
          {wordsForError(loadError)}
          <Button onClick={() => void store.reload()}>Try again</Button>
        </div>
      )}
      {!isKnown && loadError === null && (
        <p role="status" className="fade-in flex items-center gap-2 px-4 py-2 text-faint text-meta">
          <Spinner />
          Reading the plan
        </p>
      )}
      <div ref={scroller} data-plan-scroller className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2.5 pb-4">
        {isKnown && isEmpty && !isReadOnly && <EmptyPlan />}
        {isKnown && (
          <StepList
            actions={actions}
            scroller={scroller}
            isReadOnly={isReadOnly}
            onRescue={onRescue}
            onAnnounce={setWords}
          />
        )}
        {isKnown && <OtherSubagents />}
        {isKnown && !isReadOnly && (
          <div className="mt-px">
            {rescue.text !== null && (
              <p role="status" className="px-2 pt-2 pb-1 text-small text-warning">
                The step you were editing was removed meanwhile. Your text is here; Enter adds it as a new step.
              </p>
            )}
            <AddStep
              key={rescue.count}
              actions={actions}
              rescued={rescue.text}
              onAdded={() => setRescue(({ count }) => ({ text: null, count }))}
              onArrow={focusLast}
              placeholder={isEmpty ? 'Write the first step' : 'Add a step'}
            />
          </div>
        )}
      </div>
      <div role="status" aria-label="Plan" className="sr-only">
        {words}
      </div>
    </div>
  );
}

function EmptyPlan() {
  return (
    <p className="px-1.5 pb-3 text-meta text-muted">
      For longer work Navi writes its steps down here and ticks them off one by one, with how each was checked. You can
      add, change and reorder them at any time, also while it works.
    </p>
  );
}
