import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { readStored, writeStored } from '../../lib/storage';
import { useMediaQuery } from '../../lib/use-media-query';
import { useStored } from '../../lib/use-stored';

/** Below this the dock is a sheet over the chat. */
const NARROW = '(max-width: 899.98px)';
/** From here on sidebar, text column and dock stand side by side without crowding: then it is there from the start. */
const ROOMY = '(min-width: 1360px)';

export interface DockState {
  isNarrow: boolean;
  isShown: boolean;
  /** Id of the tab that was open last. */
  tab: string;
  setTab(tab: string): void;
  /** Shows the dock, at a tab where one is named, and moves the focus there. */
  open(tab?: string): void;
  close(): void;
  toggle(): void;
  /** Gives the focus back to what opened the dock; answers whether that is still there. */
  returnFocus(): boolean;
  /** The dock calls it when it stands: whether it was opened by the person, who then wants to be in it. */
  takeFocusWish(): boolean;
}

/** Whether the dock is open and at which tab: remembered beside the chat; the sheet of narrow screens starts closed. */
export function useDock(): DockState {
  const isNarrow = useMediaQuery(NARROW);
  const [stored, setStored] = useStored(
    'dock',
    ['shown', 'hidden'] as const,
    matchMedia(ROOMY).matches ? 'shown' : 'hidden',
  );
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const [tab, keepTab] = useState(() => readStored('dock-tab') ?? 'plan');
  const setTab = useCallback((next: string) => {
    keepTab(next);
    writeStored('dock-tab', next);
  }, []);
  const wantsFocus = useRef(false);
  const opener = useRef<Element | null>(null);
  const isShown = isNarrow ? isSheetOpen : stored === 'shown';

  const show = useCallback(
    (next: boolean) => (isNarrow ? setIsSheetOpen(next) : setStored(next ? 'shown' : 'hidden')),
    [isNarrow, setStored],
  );
  const open = useCallback(
    (name?: string) => {
      wantsFocus.current = true;
      opener.current = document.activeElement;
      if (name !== undefined) setTab(name);
      show(true);
    },
    [show, setTab],
  );
  const close = useCallback(() => show(false), [show]);
  const toggle = useCallback(() => (isShown ? close() : open()), [isShown, open, close]);
  const takeFocusWish = useCallback(() => {
    const wish = wantsFocus.current;
    wantsFocus.current = false;
    return wish;
  }, []);

  const returnFocus = useCallback(() => {
    const element = opener.current;
    opener.current = null;
    if (!(element instanceof HTMLElement) || element === document.body || !element.isConnected) return false;
    element.focus({ preventScroll: true });
    return true;
  }, []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== 'l') return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toggle]);

  return useMemo(
    () => ({ isNarrow, isShown, tab, setTab, open, close, toggle, takeFocusWish, returnFocus }),
    [isNarrow, isShown, tab, setTab, open, close, toggle, takeFocusWish, returnFocus],
  );
}
