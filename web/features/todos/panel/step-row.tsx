import { GripVertical } from 'lucide-react';
import { memo, type PointerEvent } from 'react';
import type { PlanStep } from '../../../../server/domains/todos/schema';
import { cx } from '../../../lib/class-names';
import type { PlanActions } from '../plan/use-plan-actions';
import { type ShownStatus, stepWords } from '../plan/words';
import { WorkingSubagents } from '../subagents/panel-subagents';
import { Remark } from './remark';
import { StatusIcon } from './status-icon';
import { StepField } from './step-field';
import { StepMarks } from './step-marks';
import { StepMenu } from './step-menu';
import { StepText } from './step-text';

export interface StepEdit {
  stepId: string;
  field: 'text' | 'note';
  /** What the person had written, when it was not taken. */
  draft: string | null;
  notice: string | null;
}

/** What rows can do; the same object while the list stands. */
export interface RowHandlers {
  onEdit(stepId: string, field: 'text' | 'note'): void;
  onSave(edit: StepEdit, text: string): void;
  onWrite(text: string): void;
  onCloseEdit(stepId: string): void;
  onMove(stepId: string, index: number): void;
  onRemove(step: PlanStep): void;
  onGrip(stepId: string, event: PointerEvent<HTMLElement>): void;
}

interface StepRowProps {
  step: PlanStep;
  /** 0-based. */
  index: number;
  total: number;
  status: ShownStatus;
  isCurrent: boolean;
  isReadOnly: boolean;
  /** Whether Tab stops at this row; arrows lead to the others. */
  isTabStop: boolean;
  edit: StepEdit | null;
  isDragged: boolean;
  dropMark: 'above' | 'below' | null;
  actions: PlanActions;
  handlers: RowHandlers;
}

/** One step: grip, status to tick, text with its marks, remarks, menu. */
export const StepRow = memo(function StepRow(props: StepRowProps) {
  const { step, index, total, status, isCurrent, isReadOnly, isTabStop, edit, actions, handlers } = props;
  const words = stepWords(step, index + 1, total, status);
  const isClosed = status === 'done' || status === 'skipped';
  return (
    <li
      data-step={step.id}
      aria-current={isCurrent ? 'step' : undefined}
      className={cx(
        'group/step relative flex items-start gap-2 rounded-control py-1 pr-1 pl-2',
        isCurrent ? 'bg-[color-mix(in_oklab,var(--accent-soft)_70%,transparent)]' : 'hover:bg-hover',
        props.isDragged && 'opacity-45',
        props.dropMark === 'above' && 'shadow-[0_-2px_0_0_var(--accent)]',
        props.dropMark === 'below' && 'shadow-[0_2px_0_0_var(--accent)]',
      )}
    >
      {!isReadOnly && (
        <span
          aria-hidden
          title="Drag to move"
          onPointerDown={(event) => handlers.onGrip(step.id, event)}
          className={cx(
            'absolute inset-y-0 -left-2 flex w-4 cursor-grab touch-none items-start justify-center pt-[9px] text-faint opacity-0 group-hover/step:opacity-100',
            '[@media(hover:none)]:opacity-60',
          )}
        >
          <GripVertical size={13} />
        </span>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a box with five states; an input would show two. */}
      <button
        type="button"
        role="checkbox"
        aria-checked={step.status === 'done'}
        aria-label={`${words}: ${step.text}`}
        title={isReadOnly ? undefined : step.status === 'done' ? 'Open again' : 'Tick off'}
        data-step-part
        data-step-box
        tabIndex={isTabStop ? 0 : -1}
        disabled={isReadOnly}
        onClick={() => void actions.setStatus(step.id, step.status === 'done' ? 'pending' : 'done')}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-full"
      >
        <StatusIcon status={status} />
      </button>
      <div className="min-w-0 flex-1 py-[2px] text-meta">
        {edit?.field === 'text' ? (
          <StepField
            label={`Text of step ${index + 1}`}
            current={step.text}
            draft={edit.draft}
            notice={edit.notice}
            onSave={(text) => handlers.onSave(edit, text)}
            onWrite={handlers.onWrite}
            onClose={() => handlers.onCloseEdit(edit.stepId)}
          />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: F2 on the step does the same by keyboard.
          <div
            dir="auto"
            onDoubleClick={() => !isReadOnly && handlers.onEdit(step.id, 'text')}
            className={cx('[overflow-wrap:anywhere]', isClosed && 'text-muted')}
          >
            <span className={cx('tabular me-1.5', isCurrent ? 'text-accent-text' : 'text-faint')} aria-hidden>
              {index + 1}
            </span>
            <StepText
              text={step.text}
              isStrong={isCurrent}
              isStruck={status === 'skipped'}
              tail={status === 'paused' ? null : <StepMarks step={step} />}
            />
            {status === 'paused' && (
              <span className="whitespace-nowrap">
                {' '}
                <span className="text-small text-warning">paused</span>
                <StepMarks step={step} />
              </span>
            )}
          </div>
        )}
        {step.validation !== null && step.validation !== '' && (
          <Remark
            name={status === 'failed' ? 'Reason' : 'Checked'}
            text={step.validation}
            isFailure={status === 'failed'}
          />
        )}
        {edit?.field === 'note' ? (
          <StepField
            label={`Note of step ${index + 1}`}
            current={step.note ?? ''}
            draft={edit.draft}
            notice={edit.notice}
            onSave={(text) => handlers.onSave(edit, text)}
            onWrite={handlers.onWrite}
            onClose={() => handlers.onCloseEdit(edit.stepId)}
          />
        ) : (
          step.note !== null && step.note !== '' && <Remark name="Note" text={step.note} />
        )}
        {isCurrent && step.status === 'in_progress' && <WorkingSubagents />}
      </div>
      {!isReadOnly && edit === null && (
        <div className="-my-0.5">
          <StepMenu
            step={step}
            index={index}
            total={total}
            tabIndex={isTabStop ? 0 : -1}
            actions={actions}
            onEdit={(field) => handlers.onEdit(step.id, field)}
            onMove={(to) => handlers.onMove(step.id, to)}
            onRemove={() => handlers.onRemove(step)}
          />
        </div>
      )}
    </li>
  );
});
