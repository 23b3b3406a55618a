import { Download, GitFork, Pencil, Pin, PinOff, Share2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/menu';
import { useSharing } from '../../lib/sharing';
import type { SessionActions } from './use-session-actions';

interface SessionMenuProps {
  session: { id: string; pinned: boolean };
  name: string;
  actions: SessionActions;
  onRename(): void;
  align?: 'start' | 'end';
  onOpenChange?(isOpen: boolean): void;
  /** The button that opens it. */
  children: ReactNode;
}

export function SessionMenu({ session, name, actions, onRename, align, onOpenChange, children }: SessionMenuProps) {
  const icon = { size: 15, strokeWidth: 1.75 };
  const sharing = useSharing();
  // Renaming moves the focus into its field; the menu must not take it back while it closes.
  let isRenaming = false;
  return (
    <Menu modal={false} onOpenChange={onOpenChange}>
      <MenuTrigger asChild>{children}</MenuTrigger>
      <MenuContent align={align} onCloseAutoFocus={(event) => isRenaming && event.preventDefault()}>
        <MenuItem
          icon={<Pencil {...icon} />}
          shortcut="F2"
          onSelect={() => {
            isRenaming = true;
            onRename();
          }}
        >
          Rename
        </MenuItem>
        <MenuItem
          icon={session.pinned ? <PinOff {...icon} /> : <Pin {...icon} />}
          onSelect={() => void actions.setPinned(session.id, !session.pinned)}
        >
          {session.pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
        <MenuItem icon={<GitFork {...icon} />} onSelect={() => void actions.fork(session.id)}>
          Fork
        </MenuItem>
        <MenuItem icon={<Share2 {...icon} />} onSelect={() => sharing.share(session.id, name)}>
          Share
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Download {...icon} />} onSelect={() => void actions.exportAs(session.id, 'markdown')}>
          Export as Markdown
        </MenuItem>
        <MenuItem icon={<Download {...icon} />} onSelect={() => void actions.exportAs(session.id, 'json')}>
          Export as JSON
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 {...icon} />} isDanger onSelect={() => void actions.remove(session.id, name)}>
          Delete
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
