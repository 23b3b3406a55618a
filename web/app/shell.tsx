import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { ErrorBoundary } from '../components/error-boundary';
import { Modal } from '../components/modal';
import { Sidebar } from '../features/sessions/sidebar';
import { useUserEvents } from '../features/sessions/use-session-list';
import { loadToasts } from '../lib/toast';
import { PHONE, useMediaQuery } from '../lib/use-media-query';
import { useStored } from '../lib/use-stored';
import { ConnectionBar } from './connection-bar';
import { HelpDialog } from './help-dialog';
import { ShellContext } from './shell-context';
import { SidebarFooter } from './sidebar-footer';
import { useRefetchOnReconnect } from './use-refetch-on-reconnect';

/** Milliseconds after the start; by then what the person came for is on screen. */
const LOAD_TOASTS_AFTER_MS = 6_000;

function useLoadToastsLater() {
  useEffect(() => {
    const timer = setTimeout(() => void loadToasts().catch(() => undefined), LOAD_TOASTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** The frame: sidebar (a drawer on phones), the routed pane, what lies over everything. */
export function Shell({ children }: { children: ReactNode }) {
  useUserEvents();
  useRefetchOnReconnect();
  useLoadToastsLater();
  const isPhone = useMediaQuery(PHONE);
  const [stored, setStored] = useStored('sidebar', ['shown', 'hidden'] as const, 'shown');
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [path, navigate] = useLocation();
  const [, match] = useRoute('/s/:sessionId/*?');
  const isSidebarShown = isPhone ? isDrawerOpen : stored === 'shown';

  const showSidebar = useCallback(() => (isPhone ? setIsDrawerOpen(true) : setStored('shown')), [isPhone, setStored]);
  const hideSidebar = useCallback(() => (isPhone ? setIsDrawerOpen(false) : setStored('hidden')), [isPhone, setStored]);
  const closeDrawer = useCallback(() => setIsDrawerOpen(false), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]');
      if (event.key === '?' && !isTyping && !event.ctrlKey && !event.metaKey) setIsHelpOpen(true);
      const isCommand = (event.ctrlKey || event.metaKey) && event.shiftKey;
      if (isCommand && event.key.toLowerCase() === 'o') {
        event.preventDefault();
        navigate('/');
      }
      if (isCommand && event.key.toLowerCase() === 's') {
        event.preventDefault();
        if (isSidebarShown) hideSidebar();
        else showSidebar();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate, isSidebarShown, showSidebar, hideSidebar]);

  const sidebar = (
    <ErrorBoundary what="The list of chats">
      <Sidebar
        openSessionId={match?.sessionId ?? null}
        onClose={hideSidebar}
        onPick={closeDrawer}
        footer={<SidebarFooter onHelp={() => setIsHelpOpen(true)} />}
      />
    </ErrorBoundary>
  );

  return (
    <ShellContext.Provider value={{ isSidebarShown: isSidebarShown && !isPhone, showSidebar }}>
      <a
        href="#main"
        className="-translate-y-20 fixed top-2 left-2 z-50 rounded-control bg-accent px-3 py-2 text-on-accent text-meta focus:translate-y-0"
      >
        Skip to the conversation
      </a>
      <div className="flex h-full">
        {!isPhone && isSidebarShown && <aside className="w-66 shrink-0 border-line border-r">{sidebar}</aside>}
        {isPhone && (
          <Modal
            isOpen={isDrawerOpen}
            onClose={closeDrawer}
            label="Chats"
            className="drawer-in m-0 h-dvh max-h-none w-[min(300px,86vw)] max-w-none border-line border-r shadow-pop"
          >
            {sidebar}
          </Modal>
        )}
        <main id="main" tabIndex={-1} className="relative flex min-w-0 flex-1 flex-col outline-none">
          <ConnectionBar />
          <ErrorBoundary what="This chat" resetKey={path}>
            {children}
          </ErrorBoundary>
        </main>
      </div>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </ShellContext.Provider>
  );
}
