import { Files, Gauge, History, ListChecks, type LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import { ContextPanel } from '../../features/compression/context/context-panel';
import { FilesPanel } from '../../features/files/panel/files-panel';
import { MemoryPanel } from '../../features/memory/memory-panel';
import { PlanPanel } from '../../features/todos/panel/plan-panel';

export interface DockTab {
  id: string;
  label: string;
  icon: LucideIcon;
  /**
   * Fills the dock below the tabs. What it shows of the chat it takes from the contexts of the session route. It is part of
   * the dock's chunk: what is heavy about it (viewers, say) it loads by itself.
   */
  Panel: ComponentType<{ sessionId: string }>;
}

/** The tabs of the dock, from left to right. A new one is one line here. */
export const dockTabs: readonly DockTab[] = [
  { id: 'plan', label: 'Plan', icon: ListChecks, Panel: PlanPanel },
  { id: 'files', label: 'Files', icon: Files, Panel: FilesPanel },
  { id: 'context', label: 'Context', icon: Gauge, Panel: ContextPanel },
  { id: 'memory', label: 'Memory', icon: History, Panel: MemoryPanel },
];
