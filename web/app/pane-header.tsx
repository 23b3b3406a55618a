import { PanelLeft, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../components/button';
import { useShell } from './shell-context';

interface PaneHeaderProps {
  children?: ReactNode;
  /** At the right end. */
  actions?: ReactNode;
  hasNewChat?: boolean;
}

/** The line at the top of the pane. Brings the sidebar back where it is hidden. */
export function PaneHeader({ children, actions, hasNewChat = true }: PaneHeaderProps) {
  const { isSidebarShown, showSidebar } = useShell();
  return (
    <header className="flex h-13 shrink-0 items-center gap-1 px-3">
      {!isSidebarShown && (
        <IconButton label="Show sidebar" onClick={showSidebar}>
          <PanelLeft size={17} strokeWidth={1.75} />
        </IconButton>
      )}
      <div className="min-w-0 flex-1">{children}</div>
      {!isSidebarShown && hasNewChat && (
        <Link
          href="/"
          aria-label="New chat"
          title="New chat"
          className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
        >
          <SquarePen size={17} strokeWidth={1.75} />
        </Link>
      )}
      {actions}
    </header>
  );
}
