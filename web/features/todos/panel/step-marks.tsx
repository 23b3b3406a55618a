import { Globe, ListChecks, type LucideIcon, Map as MapIcon, User } from 'lucide-react';
import type { PlanStep, StepSource } from '../../../../server/domains/todos/schema';
import { cx } from '../../../lib/class-names';
import { ExecutorChip } from '../executor-chip';
import { sourceWords } from '../plan/words';

/** The agent's own steps are the rule and carry no mark. */
const icons: Partial<Record<StepSource, LucideIcon>> = {
  protocol: ListChecks,
  user: User,
  plan: MapIcon,
  remote: Globe,
};

/** Priority dot, source mark and who does it, after the text. The words are part of the step's label already. */
export function StepMarks({ step }: { step: PlanStep }) {
  const Icon = icons[step.source];
  const words = sourceWords[step.source];
  return (
    <>
      {step.priority !== 'medium' && (
        <span
          aria-hidden
          title={`${step.priority === 'high' ? 'High' : 'Low'} priority`}
          className={cx(
            'ms-1.5 inline-block size-[7px] rounded-full align-[1px]',
            step.priority === 'high' ? 'bg-warning' : 'border border-line-strong',
          )}
        />
      )}
      {Icon !== undefined && words !== null && (
        <span
          aria-hidden
          title={words.charAt(0).toUpperCase() + words.slice(1)}
          className="ms-1.5 inline-block align-[-1.5px] text-faint"
        >
          <Icon size={12} strokeWidth={2} />
        </span>
      )}
      {step.executor !== null && step.executor.kind !== 'self' && (
        <>
          {/* The chip alone may go into the next line: it is as wide as a word. */}
          <span className="whitespace-normal"> </span>
          <span aria-hidden className="inline-flex max-w-40 align-[-3px]">
            <ExecutorChip executor={step.executor} />
          </span>
        </>
      )}
    </>
  );
}
