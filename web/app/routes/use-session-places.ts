import { useEffect, useMemo } from 'react';
import { createPlaces, type Places } from '../../lib/places';
import type { DockState } from '../dock/use-dock';

/** The places of one open chat: brings what is asked for on screen, and goes to the message that the address names. */
export function useSessionPlaces(sessionId: string, dock: DockState): Places {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat has other places.
  const places = useMemo(createPlaces, [sessionId]);
  const { isNarrow, open, close } = dock;
  useEffect(
    () =>
      places.subscribe((kind) => {
        if (kind === 'message') {
          // The sheet would cover what it leads to.
          if (isNarrow) close();
        } else open(kind);
      }),
    [places, isNarrow, open, close],
  );
  useEffect(() => {
    const goToNamed = () => {
      const named = /^#m(\d+)$/.exec(location.hash)?.[1];
      if (named === undefined) return;
      history.replaceState(history.state, '', location.pathname + location.search);
      places.ask('message', Number(named));
    };
    goToNamed();
    window.addEventListener('hashchange', goToNamed);
    return () => window.removeEventListener('hashchange', goToNamed);
  }, [places]);
  return places;
}
