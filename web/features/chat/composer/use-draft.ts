import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, isEmptyDraft, loadDraft, saveDraft } from './draft';

/** Writing to storage waits for a pause in the typing, in milliseconds: a key press must not wait for a disk. */
const SAVE_DELAY_MS = 250;

/** The draft of one chat. The newest value is also at hand in `ref`, for answers that arrive later. */
export function useDraft(sessionId: string | null) {
  const [draft, setState] = useState<Draft>(() => loadDraft(sessionId));
  const ref = useRef(draft);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOwn = useRef(false);

  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    saveDraft(sessionId, ref.current);
  }, [sessionId]);

  const setDraft = useCallback(
    (next: Draft, isUrgent = false) => {
      ref.current = next;
      isOwn.current = true;
      setState(next);
      clearTimeout(timer.current);
      if (isUrgent) saveNow();
      else timer.current = setTimeout(saveNow, SAVE_DELAY_MS);
    },
    [saveNow],
  );

  useEffect(() => {
    // What was written here is kept even if another tab, which has a draft of its own for this chat, cleared the place.
    const flush = () => {
      if (timer.current !== undefined || (isOwn.current && !isEmptyDraft(ref.current))) saveNow();
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [saveNow]);

  return { draft, ref, setDraft };
}
