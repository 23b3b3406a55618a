import { useCallback, useEffect, useRef, useState } from 'react';
import { copyText } from './save-file';
import { showFailure } from './toast';

/** How long "Copied" stays, in milliseconds. */
const SHOWN_MS = 1_600;

/** Copies text and tells for a moment that it did. */
export function useCopy() {
  const [isCopied, setIsCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    if (!(await copyText(text))) {
      showFailure('The browser did not allow copying.');
      return;
    }
    setIsCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsCopied(false), SHOWN_MS);
  }, []);
  return [isCopied, copy] as const;
}
