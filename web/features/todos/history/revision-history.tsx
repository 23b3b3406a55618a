import { History } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../components/button';
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/popover';
import type { PlanActions } from '../plan/use-plan-actions';
import { RevisionList } from './revision-list';

/** The versions of the plan with what changed in each; read when it is opened. */
export function RevisionHistory({ actions, isReadOnly }: { actions: PlanActions; isReadOnly: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover open={isOpen} onOpenChange={setIsOpen}>
      <PopoverTrigger asChild>
        <IconButton label="History of the plan" title="History" size="small">
          <History size={15} strokeWidth={1.75} />
        </IconButton>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label="History of the plan"
        className="flex max-h-[min(28rem,var(--radix-popover-content-available-height))] w-[min(21rem,calc(100vw-16px))] flex-col p-0!"
      >
        <RevisionList
          isReadOnly={isReadOnly}
          onRestore={(revision) => {
            setIsOpen(false);
            void actions.restore(revision.revision, revision.tasks, revision.when);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
