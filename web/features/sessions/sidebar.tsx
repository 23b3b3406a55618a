import { PanelLeft, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../../components/button';
import { SessionList } from './session-list';

interface SidebarProps {
  openSessionId: string | null;
  onClose(): void;
  /** After a chat was picked: the drawer closes, the pinned sidebar stays. */
  onPick(): void;
  /** Stands at the bottom: theme, help. */
  footer: ReactNode;
}

export function Sidebar({ openSessionId, onClose, onPick, footer }: SidebarProps) {
  return (
    <div className="flex h-full flex-col bg-sunken">
      <div className="flex h-13 shrink-0 items-center justify-between pr-2.5 pl-4">
        <Link
          href="/"
          onClick={onPick}
          className="flex items-center gap-2 rounded-control text-read font-semibold tracking-tight"
        >
          <NaviMark />
          Navi
        </Link>
        <IconButton label="Hide sidebar" onClick={onClose}>
          <PanelLeft size={17} strokeWidth={1.75} />
        </IconButton>
      </div>
      <div className="px-2 pb-1">
        <Link
          href="/"
          onClick={onPick}
          className="flex h-9 items-center gap-2.5 rounded-control px-2 text-meta font-medium hover:bg-hover"
        >
          <SquarePen size={16} strokeWidth={1.75} aria-hidden className="text-accent" />
          New chat
        </Link>
      </div>
      <SessionList openSessionId={openSessionId} onPick={onPick} />
      <div className="flex shrink-0 items-center gap-1 border-line border-t px-2.5 py-2">{footer}</div>
    </div>
  );
}

export function NaviMark({ size = 18 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden className="text-accent">
      <path fill="currentColor" d="M12 1.5 15 9 22.5 12 15 15 12 22.5 9 15 1.5 12 9 9Z" />
    </svg>
  );
}
