import { PanelRight } from 'lucide-react';
import { PlanProgress } from '../../features/todos/plan-progress';
import type { DockState } from './use-dock';

/** Brings the dock back where it is hidden, and tells meanwhile how far the plan is. */
export function DockToggle({ dock }: { dock: DockState }) {
  if (dock.isShown && !dock.isNarrow) return null;
  return (
    <button
      type="button"
      aria-expanded={dock.isShown}
      aria-controls={dock.isShown ? 'dock' : undefined}
      title="Show the side panel"
      onClick={() => dock.open()}
      className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-control px-2 text-muted hover:bg-hover hover:text-text"
    >
      {!dock.isNarrow && <PlanProgress />}
      <PanelRight size={17} strokeWidth={1.75} aria-hidden />
      <span className="sr-only">Show the side panel</span>
    </button>
  );
}
