import { ArrowDown, ArrowUp, Ellipsis, Flag, Pencil, StickyNote, Trash2 } from 'lucide-react';
import type { PlanStep } from '../../../../server/domains/todos/schema';
import { IconButton } from '../../../components/button';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuSub,
  MenuSubContent,
  MenuSubTrigger,
  MenuTrigger,
} from '../../../components/menu';
import { cx } from '../../../lib/class-names';
import type { PlanActions } from '../plan/use-plan-actions';
import { statusNames } from '../plan/words';

const statuses = Object.keys(statusNames) as PlanStep['status'][];
const priorities = ['high', 'medium', 'low'] as const;
const priorityNames = { high: 'High', medium: 'Medium', low: 'Low' };

interface StepMenuProps {
  step: PlanStep;
  /** 0-based. */
  index: number;
  total: number;
  tabIndex: number;
  actions: PlanActions;
  onEdit(field: 'text' | 'note'): void;
  onMove(index: number): void;
  onRemove(): void;
}

export function StepMenu({ step, index, total, tabIndex, actions, onEdit, onMove, onRemove }: StepMenuProps) {
  const icon = { size: 15, strokeWidth: 1.75 };
  // What opens a field, or takes the row away, decides itself where the focus goes.
  let keepsFocus = false;
  const then = (work: () => void) => () => {
    keepsFocus = true;
    work();
  };
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton
          label={`Actions for step ${index + 1}`}
          title="Actions"
          size="small"
          look="faint"
          tabIndex={tabIndex}
          className={cx(
            'opacity-0 focus-visible:opacity-100 group-focus-within/step:opacity-100 group-hover/step:opacity-100 data-[state=open]:opacity-100',
            '[@media(hover:none)]:opacity-70',
          )}
        >
          <Ellipsis size={15} />
        </IconButton>
      </MenuTrigger>
      <MenuContent
        align="end"
        className="max-h-[min(32rem,var(--radix-dropdown-menu-content-available-height))]!"
        onCloseAutoFocus={(event) => keepsFocus && event.preventDefault()}
      >
        <MenuItem icon={<Pencil {...icon} />} shortcut="F2" onSelect={then(() => onEdit('text'))}>
          Edit
        </MenuItem>
        <MenuItem icon={<StickyNote {...icon} />} onSelect={then(() => onEdit('note'))}>
          {step.note === null ? 'Add a note' : 'Edit the note'}
        </MenuItem>
        <MenuSeparator />
        <MenuLabel>Status</MenuLabel>
        <MenuRadioGroup
          value={step.status}
          onValueChange={(next) => {
            const status = statuses.find((option) => option === next);
            if (status !== undefined && status !== step.status) void actions.setStatus(step.id, status);
          }}
        >
          {statuses.map((status) => (
            <MenuRadioItem key={status} value={status}>
              {statusNames[status]}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuSub>
          <MenuSubTrigger icon={<Flag {...icon} />}>
            Priority: {priorityNames[step.priority].toLowerCase()}
          </MenuSubTrigger>
          <MenuSubContent>
            <MenuRadioGroup
              value={step.priority}
              onValueChange={(next) => {
                const priority = priorities.find((option) => option === next);
                if (priority !== undefined && priority !== step.priority) void actions.setPriority(step.id, priority);
              }}
            >
              {priorities.map((priority) => (
                <MenuRadioItem key={priority} value={priority}>
                  {priorityNames[priority]}
                </MenuRadioItem>
              ))}
            </MenuRadioGroup>
          </MenuSubContent>
        </MenuSub>
        <MenuItem
          icon={<ArrowUp {...icon} />}
          shortcut="Alt ↑"
          disabled={index === 0}
          onSelect={() => onMove(index - 1)}
        >
          Move up
        </MenuItem>
        <MenuItem
          icon={<ArrowDown {...icon} />}
          shortcut="Alt ↓"
          disabled={index === total - 1}
          onSelect={() => onMove(index + 1)}
        >
          Move down
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 {...icon} />} shortcut="Del" isDanger onSelect={then(onRemove)}>
          Remove
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
