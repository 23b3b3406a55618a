import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PlanStep } from '../../../../server/domains/todos/schema';
import { idNow, isRunLive } from '../plan/state';
import { usePlan, usePlanState } from '../plan/use-plan';
import type { PlanActions } from '../plan/use-plan-actions';
import { currentIndex, shownStatus } from '../plan/words';
import { type RowHandlers, StepRow } from './step-row';
import { useCurrentInView } from './use-current-in-view';
import { useStepDrag } from './use-step-drag';
import { useStepEdit } from './use-step-edit';

interface StepListProps {
  actions: PlanActions;
  scroller: RefObject<HTMLElement | null>;
  isReadOnly: boolean;
  /** A text whose step went away while the person wrote. */
  onRescue(text: string): void;
  /** Words for screen readers after a change by keyboard. */
  onAnnounce(words: string): void;
}

/** The steps. Arrows walk, Space ticks, Enter or F2 edits, Alt and arrows move, Delete removes. */
export function StepList({ actions, scroller, isReadOnly, onRescue, onAnnounce }: StepListProps) {
  const { store } = usePlan();
  const tasks = usePlanState((state) => state.tasks);
  const isLive = usePlanState(isRunLive);
  const renamed = usePlanState((state) => state.renamed);
  /** A step keeps its row, and with it focus and editor, when the server gives it its id. */
  const keys = useMemo(() => new Map(Object.entries(renamed).map(([from, to]) => [to, from])), [renamed]);
  const list = useRef<HTMLOListElement>(null);
  const [stopId, setStopId] = useState<string | null>(null);
  /** A step that takes the focus once it is where it belongs. */
  const wanted = useRef<string | null>(null);
  const current = currentIndex(tasks);
  const { edit, open, close, save, write } = useStepEdit(store, actions, onRescue);
  useCurrentInView({ list, stepId: tasks[current]?.id ?? null });

  const move = useCallback(
    (stepId: string, index: number) => {
      wanted.current = stepId;
      if (actions.move(stepId, index)) onAnnounce(`Moved to ${index + 1} of ${store.getState().tasks.length}`);
    },
    [actions, store, onAnnounce],
  );
  const drop = useCallback((stepId: string, index: number) => void actions.move(stepId, index), [actions]);
  const { drag, start } = useStepDrag({ list, scroller, onDrop: drop });

  const remove = useCallback(
    (step: PlanStep) => {
      const now = store.getState().tasks;
      const at = now.findIndex((other) => other.id === step.id);
      wanted.current = now[at + 1]?.id ?? now[at - 1]?.id ?? null;
      void actions.remove(step);
      onAnnounce('Step removed');
    },
    [actions, store, onAnnounce],
  );
  const handlers = useMemo<RowHandlers>(
    () => ({
      onEdit: open,
      onSave: (target, text) => {
        wanted.current = target.stepId;
        void save(target, text);
      },
      onWrite: write,
      onCloseEdit: (stepId) => {
        wanted.current = stepId;
        close(stepId);
      },
      onMove: move,
      onRemove: remove,
      onGrip: start,
    }),
    [open, save, write, close, move, remove, start],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the list or the editor.
  useLayoutEffect(() => {
    const stepId = wanted.current === null ? null : idNow({ renamed }, wanted.current);
    wanted.current = null;
    // Only when the focus was here or fell out of the page with what had it; never taken from the composer.
    if (stepId !== null && isFocusFree(list.current)) boxOf(list.current, stepId)?.focus();
  }, [tasks, edit]);

  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    const target = event.target as HTMLElement;
    const stepId = target.closest<HTMLElement>('[data-step]')?.dataset.step;
    const index = tasks.findIndex((step) => step.id === stepId);
    const step = tasks[index];
    if (step === undefined || target.matches('textarea') || target.closest('[data-nested]') !== null) return;
    if (isReadOnly) return;
    const focus = (to: number) => {
      const next = tasks[Math.min(Math.max(to, 0), tasks.length - 1)];
      if (next !== undefined) boxOf(list.current, next.id)?.focus();
    };
    const act = () => {
      if (event.altKey && event.key === 'ArrowUp') return move(step.id, index - 1);
      if (event.altKey && event.key === 'ArrowDown') return move(step.id, index + 1);
      if (event.altKey || event.ctrlKey || event.metaKey) return false;
      if (event.key === 'ArrowUp') return focus(index - 1);
      if (event.key === 'ArrowDown') return focus(index + 1);
      if (event.key === 'Home') return focus(0);
      if (event.key === 'End') return focus(tasks.length - 1);
      if (event.key === 'F2') return open(step.id, 'text');
      if (event.key === 'Enter' && target.matches('[data-step-box]')) return open(step.id, 'text');
      if (event.key === 'Delete') return remove(step);
      return false;
    };
    if (act() !== false) event.preventDefault();
  };

  const stop = stopId === null ? null : idNow({ renamed }, stopId);
  const tabStop = tasks.some((step) => step.id === stop) ? stop : (tasks[Math.max(0, current)]?.id ?? null);
  const draggedFrom = drag === null ? -1 : tasks.findIndex((step) => step.id === drag.stepId);
  return (
    <ol
      ref={list}
      aria-label="Steps"
      className="space-y-px"
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const stepId = (event.target as HTMLElement).closest<HTMLElement>('[data-step]')?.dataset.step;
        if (stepId !== undefined) setStopId(stepId);
      }}
    >
      {tasks.map((step, index) => (
        <StepRow
          key={keys.get(step.id) ?? step.id}
          step={step}
          index={index}
          total={tasks.length}
          status={shownStatus(step, isLive)}
          isCurrent={index === current}
          isReadOnly={isReadOnly}
          isTabStop={step.id === tabStop}
          edit={edit !== null && idNow({ renamed }, edit.stepId) === step.id ? edit : null}
          isDragged={drag?.stepId === step.id}
          dropMark={dropMark(drag?.index ?? -1, draggedFrom, index)}
          actions={actions}
          handlers={handlers}
        />
      ))}
    </ol>
  );
}

/** Where the dragged step would land: above a row when it goes up, below it when it goes down. */
function dropMark(to: number, from: number, index: number): 'above' | 'below' | null {
  if (to === -1 || to === from || index !== to) return null;
  return to < from ? 'above' : 'below';
}

function boxOf(list: HTMLElement | null, stepId: string): HTMLElement | null {
  const row = [...(list?.querySelectorAll<HTMLElement>('[data-step]') ?? [])].find((li) => li.dataset.step === stepId);
  return row?.querySelector<HTMLElement>('[data-step-box]') ?? null;
}

const isFocusFree = (list: HTMLElement | null): boolean =>
  document.activeElement === document.body || list?.contains(document.activeElement) === true;
