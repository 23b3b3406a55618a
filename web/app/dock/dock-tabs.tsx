import { ListChecks, type LucideIcon } from 'lucide-react';
import { type ComponentType, lazy } from 'react';

export interface DockTab {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Fills the dock below the tabs. What it shows of the chat it takes from the contexts of the session route. */
  Panel: ComponentType<{ sessionId: string }>;
}

/** A panel is loaded when it is first looked at. */
const panel = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType<{ sessionId: string }>>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));

/** The tabs of the dock, from left to right. A new one is one line here. */
export const dockTabs: readonly DockTab[] = [
  {
    id: 'plan',
    label: 'Plan',
    icon: ListChecks,
    Panel: panel(() => import('../../features/todos/panel/plan-panel'), 'PlanPanel'),
  },
];
