import { ChevronDown } from 'lucide-react';
import { useEffect } from 'react';
import type { SessionListItem } from '../../../server/domains/sessions/schema';
import { nameOf } from './group-sessions';
import { NameField } from './name-field';
import { SessionMenu } from './session-menu';
import { useRenaming } from './use-renaming';
import { useSessionActions } from './use-session-actions';

/** The open chat's name with its menu; a double click renames in place, F2 does so from wherever it means nothing else. */
export function SessionHeading({ session }: { session: SessionListItem }) {
  const { isRenaming, rename, close, ref } = useRenaming<HTMLButtonElement>();
  const actions = useSessionActions();
  const name = nameOf(session);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F2' || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest('dialog, input, [data-step]') !== null) return;
      rename();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [rename]);
  if (isRenaming) {
    return (
      <NameField
        name={session.name ?? ''}
        className="h-8 max-w-md text-sm font-medium"
        onSave={(next) => void actions.rename(session.id, next)}
        onClose={close}
      />
    );
  }
  return (
    <h1 className="flex min-w-0">
      <SessionMenu session={session} name={name} actions={actions} align="start" onRename={rename}>
        <button
          type="button"
          ref={ref}
          onDoubleClick={rename}
          className="flex h-8 min-w-0 items-center gap-1 rounded-control px-2 text-sm font-medium hover:bg-hover"
        >
          <span dir="auto" className="truncate">
            {name}
          </span>
          <ChevronDown size={15} aria-hidden className="shrink-0 text-faint" />
        </button>
      </SessionMenu>
    </h1>
  );
}
