import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, loadDraft, saveDraft } from './draft';

/** Writing to storage waits for a pause in the typing, in milliseconds: a key press must not wait for a disk. */
const SAVE_DELAY_MS = 250;

/** The draft of one chat. The newest value is also at hand in `ref`, for answers that arrive later. */
export function useDraft(sessionId: string | null) {
  const [draft, setState] = useState<Draft>(() => loadDraft(sessionId));
  const ref = useRef(draft);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    saveDraft(sessionId, ref.current);
  }, [sessionId]);

  const setDraft = useCallback(
    (next: Draft, isUrgent = false) => {
      ref.current = next;
      setState(next);
      clearTimeout(timer.current);
      if (isUrgent) saveNow();
      else timer.current = setTimeout(saveNow, SAVE_DELAY_MS);
    },
    [saveNow],
  );

  useEffect(() => {
    const flush = () => timer.current !== undefined && saveNow();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [saveNow]);

  return { draft, ref, setDraft };
}
