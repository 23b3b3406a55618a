import { PanelRight } from 'lucide-react';
import { Link } from 'wouter';
import { Button } from '../../../components/button';

interface PlanCardActionsProps {
  onOpenPlan(): void;
  /** What the planning phase looked at and said, as a page. */
  planningHref: string;
}

export default function PlanCardActions({ onOpenPlan, planningHref }: PlanCardActionsProps) {
  return (
    <>
      <Button onClick={onOpenPlan}>
        <PanelRight size={14} aria-hidden />
        Open in plan
      </Button>
      <Link
        href={planningHref}
        className="inline-flex h-8 items-center rounded-control px-3 font-medium text-meta text-muted hover:bg-hover hover:text-text"
      >
        How it was planned
      </Link>
    </>
  );
}
