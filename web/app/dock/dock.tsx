import { X } from 'lucide-react';
import { Dialog, Tabs } from 'radix-ui';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { IconButton } from '../../components/button';
import { ErrorBoundary } from '../../components/error-boundary';
import { dockTabs } from './dock-tabs';
import type { DockState } from './use-dock';

interface DockProps {
  dock: DockState;
  sessionId: string;
}

/** The dock itself, a chunk of its own; see `lazy-dock.tsx`. */
export default function Dock(props: DockProps) {
  return props.dock.isNarrow ? <DockSheet {...props} /> : <DockPane {...props} />;
}

function DockPane({ dock, sessionId }: DockProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (dock.takeFocusWish()) pane.current?.querySelector<HTMLElement>('[role=tab][data-state=active]')?.focus();
  }, [dock]);
  const onKeyDown = (event: KeyboardEvent) => {
    // Back to the conversation; what is open over the dock has taken its own Esc already.
    if (event.key === 'Escape' && !event.defaultPrevented) focusComposer();
  };
  return (
    <section
      ref={pane}
      id="dock"
      aria-label="Beside the chat"
      onKeyDown={onKeyDown}
      className="flex w-85 shrink-0 flex-col border-line border-l"
    >
      <DockTabs dock={dock} sessionId={sessionId} />
    </section>
  );
}

function DockSheet({ dock, sessionId }: DockProps) {
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={dock.isShown} onOpenChange={(isOpen) => !isOpen && dock.close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          ref={content}
          id="dock"
          aria-describedby={undefined}
          // The list, not a field: on touch screens the keyboard would cover what was asked for.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            dock.takeFocusWish();
            content.current?.focus();
          }}
          // Radix gives it to a trigger of its own, and there is none.
          onCloseAutoFocus={() => void dock.returnFocus()}
          // A toast belongs to no layer: its Undo must not close what it is about.
          onInteractOutside={(event) =>
            event.target instanceof Element &&
            event.target.closest('[data-sonner-toaster]') !== null &&
            event.preventDefault()
          }
          className="sheet-in fixed inset-x-0 bottom-0 z-40 flex h-[min(85dvh,46rem)] flex-col rounded-t-[14px] border-line border-t bg-bg shadow-pop outline-none sm:inset-y-0 sm:right-0 sm:left-auto sm:h-dvh sm:w-[min(24rem,86vw)] sm:rounded-none sm:border-t-0 sm:border-l"
        >
          <Dialog.Title className="sr-only">Beside the chat</Dialog.Title>
          <DockTabs dock={dock} sessionId={sessionId} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function DockTabs({ dock, sessionId }: DockProps) {
  // A tab that is not there any more was remembered: the first one then.
  const tab = dockTabs.find(({ id }) => id === dock.tab) ?? dockTabs[0];
  return (
    <Tabs.Root value={tab?.id ?? ''} onValueChange={dock.setTab} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-13 shrink-0 items-center gap-1 pr-2.5 pl-2.5">
        <Tabs.List aria-label="Beside the chat" className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto">
          {dockTabs.map(({ id, label, icon: Icon }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="flex h-8 shrink-0 items-center gap-1 rounded-control px-1.5 font-medium text-meta text-muted outline-offset-[-2px] hover:bg-hover data-[state=active]:text-text"
            >
              <Icon size={15} strokeWidth={1.75} aria-hidden className="text-faint" />
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <IconButton label="Hide the side panel" onClick={dock.close}>
          <X size={17} strokeWidth={1.75} />
        </IconButton>
      </div>
      {dockTabs.map(({ id, label, Panel }) => (
        <Tabs.Content
          key={id}
          value={id}
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col outline-none data-[state=inactive]:hidden"
        >
          <ErrorBoundary what={`“${label}”`} resetKey={sessionId}>
            <Panel sessionId={sessionId} />
          </ErrorBoundary>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

export function focusComposer(): void {
  document.querySelector<HTMLElement>('main textarea[aria-label="Message"]')?.focus({ preventScroll: true });
}
