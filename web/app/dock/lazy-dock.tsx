import { lazy, Suspense, useEffect, useRef } from 'react';
import { ErrorBoundary } from '../../components/error-boundary';
import type { DockState } from './use-dock';

const loadDock = () => import('./dock');
const Dock = lazy(loadDock);

/** Milliseconds after the chat opened; by then what the person came for is on screen. */
const LOAD_AFTER_MS = 5_000;

/** What stands beside the chat: 340 px at its right; on narrow screens a sheet over it. Loaded when it is first shown. */
export function LazyDock({ dock, sessionId }: { dock: DockState; sessionId: string }) {
  const wasShown = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => void loadDock().catch(() => undefined), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (dock.isShown) wasShown.current = true;
  // A sheet that was open once stays, closed: it gives the focus back on its way out.
  if (!dock.isShown && !(dock.isNarrow && wasShown.current)) return null;
  return (
    <ErrorBoundary what="What stands beside the chat" resetKey={sessionId}>
      {/* Its room is kept while it loads: the chat does not move. */}
      <Suspense fallback={dock.isNarrow ? null : <div className="w-85 shrink-0 border-line border-l" />}>
        <Dock dock={dock} sessionId={sessionId} />
      </Suspense>
    </ErrorBoundary>
  );
}
