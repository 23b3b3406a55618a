import { Flag, ListChecks } from 'lucide-react';
import { type ReactNode, useContext, useState } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { Button } from '../../../components/button';
import { Markdown } from '../../../components/markdown/markdown';
import { plural } from '../../../lib/format';
import { PrintContext } from '../../../lib/print';
import { ExecutorChip } from '../executor-chip';
import { readPlan } from './read-plan';

/** More steps than this fold away behind a line. */
const SHOWN_STEPS = 8;

interface PlanCardProps {
  message: PagedMessage;
  /** What can be done with it; absent for who only reads. */
  actions?: ReactNode;
}

/** What the planning phase came to: heading, milestones, numbered steps with who does each. */
export default function PlanCard({ message, actions }: PlanCardProps) {
  const plan = readPlan(message);
  const isPrinted = useContext(PrintContext);
  const [isWholeByHand, setIsWhole] = useState(false);
  const isWhole = isPrinted || isWholeByHand;
  const steps = plan === null || isWhole ? plan?.steps : plan.steps.slice(0, SHOWN_STEPS);
  const hidden = (plan?.steps.length ?? 0) - (steps?.length ?? 0);
  return (
    <section aria-label="Plan" className="my-2 rounded-card border border-line bg-raised px-4 pt-3 pb-3">
      <div className="flex items-start gap-2.5">
        <ListChecks size={17} strokeWidth={1.75} aria-hidden className="mt-[3px] shrink-0 text-accent" />
        <h3 dir="auto" className="min-w-0 flex-1 font-semibold text-read [overflow-wrap:anywhere]">
          {plan?.heading ?? 'Plan'}
        </h3>
        {plan !== null && (
          <span className="tabular shrink-0 pt-0.5 text-faint text-meta">{plural(plan.steps.length, 'step')}</span>
        )}
      </div>
      {plan === null ? (
        <div dir="auto" className="mt-2 text-read [overflow-wrap:anywhere]">
          <Markdown text={message.content} isStreaming={false} />
        </div>
      ) : (
        <>
          {plan.milestones.length > 0 && (
            <ul aria-label="Milestones" className="mt-2 flex flex-wrap gap-1.5">
              {plan.milestones.map((milestone, index) => (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: the card never changes.
                  key={index}
                  dir="auto"
                  className="flex max-w-full items-center gap-1.5 rounded-full bg-accent-soft px-2.5 py-0.5 text-accent-text text-small"
                >
                  <Flag size={11} aria-hidden className="shrink-0" />
                  <span className="[overflow-wrap:anywhere]">{milestone}</span>
                </li>
              ))}
            </ul>
          )}
          <ol className="mt-2.5 space-y-1">
            {steps?.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the card never changes.
              <li key={index} className="flex items-baseline gap-2.5 text-sm">
                <span className="tabular w-5 shrink-0 text-end text-faint" aria-hidden>
                  {index + 1}
                </span>
                <div className="flex min-w-0 flex-1 flex-col items-start gap-x-3 gap-y-1 sm:flex-row sm:items-center">
                  <span dir="auto" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                    {step.text}
                  </span>
                  {step.executor !== null && <ExecutorChip executor={step.executor} className="sm:max-w-[45%]" />}
                </div>
              </li>
            ))}
          </ol>
          {plan.remark !== null && <p className="mt-2 text-meta text-muted">{plan.remark}</p>}
        </>
      )}
      {(actions !== undefined || hidden > 0) && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {actions}
          {hidden > 0 && (
            <Button look="quiet" onClick={() => setIsWhole(true)}>
              Show {plural(hidden, 'more step')}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
