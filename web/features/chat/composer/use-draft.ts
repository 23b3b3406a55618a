import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from '../../../lib/after-paint';
import { type Draft, isEmptyDraft, loadDraft, saveDraft, withText } from './draft';

/** Writing to storage waits for a pause in the typing, in milliseconds: a key press must not wait for a disk. */
const SAVE_DELAY_MS = 250;

/**
 * The draft of one chat. `ref` holds the newest value; `draft`, which is rendered, follows what is typed one frame later: the letter
 * itself stands in the field by then, and a key press need not wait for what is drawn around it.
 */
export function useDraft(sessionId: string | null) {
  const [draft, setState] = useState<Draft>(() => loadDraft(sessionId));
  const ref = useRef(draft);
  const stopShowing = useRef<(() => void) | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOwn = useRef(false);

  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    saveDraft(sessionId, ref.current);
  }, [sessionId]);

  const show = useCallback(() => {
    stopShowing.current?.();
    stopShowing.current = null;
    setState(ref.current);
  }, []);

  const keep = useCallback(
    (next: Draft, isUrgent = false) => {
      ref.current = next;
      isOwn.current = true;
      clearTimeout(timer.current);
      if (isUrgent) saveNow();
      else timer.current = setTimeout(saveNow, SAVE_DELAY_MS);
    },
    [saveNow],
  );

  const setDraft = useCallback(
    (next: Draft, isUrgent?: boolean) => {
      keep(next, isUrgent);
      show();
    },
    [keep, show],
  );

  /** Takes over what the field holds. */
  const typed = useCallback(
    (text: string) => {
      keep(withText(ref.current, text));
      stopShowing.current ??= afterPaint(show);
    },
    [keep, show],
  );

  /** Renders what was typed now: for a key whose meaning depends on it. */
  const settle = useCallback(() => {
    if (stopShowing.current !== null) flushSync(show);
  }, [show]);

  useEffect(() => () => stopShowing.current?.(), []);

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

  return { draft, ref, setDraft, typed, settle };
}
