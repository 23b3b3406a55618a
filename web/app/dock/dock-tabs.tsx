import { ListChecks, type LucideIcon } from 'lucide-react';
import { type ComponentType, lazy } from 'react';

/** What fills the dock below the tabs. What it shows of the chat it takes from the contexts of the session route. */
type Panel = ComponentType<{ sessionId: string }>;

export interface DockTab {
  id: string;
  label: string;
  icon: LucideIcon;
  Panel: Panel;
  /** Fetches the panel's code ahead of its first look. */
  load(): Promise<unknown>;
}

const tab = (id: string, label: string, icon: LucideIcon, load: () => Promise<{ default: Panel }>): DockTab => ({
  id,
  label,
  icon,
  Panel: lazy(load),
  load,
});

/** The tabs of the dock, from left to right. A new one is one line here. */
export const dockTabs: readonly DockTab[] = [
  tab('plan', 'Plan', ListChecks, () => import('../../features/todos/panel/plan-panel')),
];
