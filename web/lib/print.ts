/** What folds away on screen stands open on paper. */
import { createContext, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed right now. Pages that are made for paper provide it; elsewhere it is false. */
export const PrintContext = createContext(false);

/** Paints at once when printing begins: the browser takes the page as it is right after. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
