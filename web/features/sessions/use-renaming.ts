import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

interface Renaming<T> {
  isRenaming: boolean;
  rename(): void;
  /** `isByKey`: Enter or Esc ended it, not a click somewhere else, which has a focus of its own. */
  close(isByKey: boolean): void;
  /** Of what the field stands in for. */
  ref: RefObject<T | null>;
}

/** Renaming in place. The focus returns to where it was, or to what the field stood in for. */
export function useRenaming<T extends HTMLElement>(): Renaming<T> {
  const [isRenaming, setIsRenaming] = useState(false);
  const ref = useRef<T>(null);
  const before = useRef<Element | null>(null);
  const isFocusLost = useRef(false);
  const rename = useCallback(() => {
    before.current = document.activeElement;
    setIsRenaming(true);
  }, []);
  const close = useCallback((isByKey: boolean) => {
    isFocusLost.current = isByKey;
    setIsRenaming(false);
  }, []);
  useLayoutEffect(() => {
    if (isRenaming || !isFocusLost.current) return;
    isFocusLost.current = false;
    const opener = before.current;
    const isStillThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
    (isStillThere ? opener : ref.current)?.focus();
  }, [isRenaming]);
  return { isRenaming, rename, close, ref };
}
