import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from '../../../lib/after-paint';
import { type Draft, emptyDraft, isEmptyDraft, loadDraft, onDraftElsewhere, saveDraft, withText } from './draft';
import { fitHeight } from './fit-height';

/** Writing to storage waits for a pause in the typing, in milliseconds: a key press must not wait for a disk. */
const SAVE_DELAY_MS = 250;

/**
 * The draft of one chat. `ref` holds the newest value; `draft`, which is rendered, follows what is typed one frame later: the letter
 * itself stands in the field by then, and a key press need not wait for what is drawn around it. `field` keeps its own text.
 */
export function useDraft(sessionId: string | null, field: RefObject<HTMLTextAreaElement | null>) {
  const [draft, setState] = useState<Draft>(() => loadDraft(sessionId));
  const ref = useRef(draft);
  const stopShowing = useRef<(() => void) | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Something was written here, which no other tab may take away. */
  const isOwn = useRef(false);
  /** The chat that it is kept for. */
  const place = useRef(sessionId);

  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    saveDraft(place.current, ref.current);
  }, []);

  const show = useCallback(() => {
    stopShowing.current?.();
    stopShowing.current = null;
    setState(ref.current);
  }, []);

  /** At once, not with the next rendering: a letter that is typed before that would bring back what stood in the field. */
  const putIn = useCallback(() => {
    const { text } = ref.current;
    if (field.current !== null && field.current.value !== text) field.current.value = text;
    fitHeight(field.current);
  }, [field]);
  useLayoutEffect(putIn, [putIn]);

  const keep = useCallback(
    (next: Draft, isUrgent = false) => {
      ref.current = next;
      isOwn.current = true;
      clearTimeout(timer.current);
      // Moved to another chat: its composer may come with any letter, and goes on from what is stored.
      if (isUrgent || place.current !== sessionId) saveNow();
      else timer.current = setTimeout(saveNow, SAVE_DELAY_MS);
    },
    [sessionId, saveNow],
  );

  const setDraft = useCallback(
    (next: Draft, isUrgent?: boolean) => {
      keep(next, isUrgent);
      putIn();
      show();
    },
    [keep, putIn, show],
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

  /** From here on what is written belongs to another chat, whose composer goes on with it. */
  const moveTo = useCallback((target: string) => {
    saveDraft(place.current, emptyDraft);
    place.current = target;
  }, []);

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

  // What stands here only because it was found stored follows the tab where it is written: sent there, it is not sent from here again.
  useEffect(
    () =>
      onDraftElsewhere(sessionId, () => {
        if (isOwn.current || isEmptyDraft(ref.current)) return;
        ref.current = loadDraft(sessionId);
        putIn();
        show();
      }),
    [sessionId, putIn, show],
  );

  return { draft, ref, setDraft, typed, settle, moveTo };
}
