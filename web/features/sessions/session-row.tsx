import { Ellipsis } from 'lucide-react';
import { memo, useState } from 'react';
import { Link } from 'wouter';
import type { RunState, SessionListItem } from '../../../server/domains/sessions/schema';
import { IconButton } from '../../components/button';
import { cx } from '../../lib/class-names';
import { nameOf } from './group-sessions';
import { NameField } from './name-field';
import { SessionMenu } from './session-menu';
import { useRenaming } from './use-renaming';
import type { SessionActions } from './use-session-actions';

interface SessionRowProps {
  session: SessionListItem;
  isOpen: boolean;
  actions: SessionActions;
  onPick(): void;
}

/** One chat in the sidebar. F2 or a double click renames, Delete removes (with undo). */
export const SessionRow = memo(function SessionRow({ session, isOpen, actions, onPick }: SessionRowProps) {
  const { isRenaming, rename, close, ref } = useRenaming<HTMLAnchorElement>();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const name = nameOf(session);
  if (isRenaming) {
    return (
      <div className="flex h-8 px-2">
        <NameField
          name={session.name ?? ''}
          className="h-8 text-meta"
          onSave={(next) => void actions.rename(session.id, next)}
          onClose={close}
        />
      </div>
    );
  }
  return (
    <div className="group/row relative px-2">
      <Link
        ref={ref}
        href={`/s/${session.id}`}
        data-session-row
        aria-current={isOpen ? 'page' : undefined}
        title={session.name === null ? undefined : name}
        onClick={onPick}
        onDoubleClick={rename}
        onKeyDown={(event) => {
          if (event.key === 'F2') {
            event.preventDefault();
            rename();
          }
          if (event.key === 'Delete') void actions.remove(session.id, name);
        }}
        className={cx(
          'flex h-8 items-center gap-2 rounded-control pr-2 pl-2 text-meta transition-colors duration-100',
          isOpen ? 'bg-selected text-text' : 'text-muted hover:bg-hover hover:text-text',
          isMenuOpen && 'bg-hover pr-9',
          'group-hover/row:pr-9 group-focus-within/row:pr-9 [@media(hover:none)]:pr-9',
        )}
      >
        <span dir="auto" className={cx('min-w-0 flex-1 truncate', isOpen && 'font-medium')}>
          {name}
        </span>
        <RunMark mark={session.waitsForPerson === true ? asks : marks[session.runState]} />
      </Link>
      <SessionMenu session={session} name={name} actions={actions} onRename={rename} onOpenChange={setIsMenuOpen}>
        <IconButton
          label={`Actions for ${name}`}
          title="Actions"
          size="small"
          className={cx(
            'absolute top-0.5 right-2.5 opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 data-[state=open]:opacity-100',
            '[@media(hover:none)]:opacity-60',
          )}
        >
          <Ellipsis size={16} />
        </IconButton>
      </SessionMenu>
    </div>
  );
});

// At rest, all of them: an animation that never ends would keep the page drawing for as long as an answer takes, beside
// whatever the person does meanwhile.
interface Mark {
  label: string;
  look: string;
}
const asks: Mark = {
  label: 'Waits for your approval',
  look: 'bg-warning shadow-[0_0_0_3px_color-mix(in_oklab,var(--warning)_25%,transparent)]',
};
const marks: Partial<Record<RunState, Mark>> = {
  running: {
    label: 'Answering',
    look: 'bg-running shadow-[0_0_0_3px_color-mix(in_oklab,var(--running)_25%,transparent)]',
  },
  stopping: { label: 'Stopping', look: 'bg-running' },
  queued: { label: 'Waiting', look: 'border border-running' },
  interrupted: { label: 'Interrupted', look: 'bg-warning' },
};

/** A dot that says what a chat is doing; nothing while it rests. */
function RunMark({ mark }: { mark: Mark | undefined }) {
  if (mark === undefined) return null;
  return (
    <span className={cx('size-2 shrink-0 rounded-full', mark.look)} title={mark.label}>
      <span className="sr-only">{mark.label}</span>
    </span>
  );
}
