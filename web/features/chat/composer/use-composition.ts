import { useCallback, useEffect, useRef } from 'react';

/** Whether an input method (Japanese, Chinese, …) is composing in a field: until it is done the text is not ours to change. */
export function useComposition() {
  const isComposing = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  const end = useCallback(() => {
    isComposing.current = false;
    for (const go of waiting.current.splice(0)) go();
  }, []);
  const start = useCallback(() => {
    isComposing.current = true;
  }, []);
  // A field that goes away tells of no end.
  useEffect(() => end, [end]);
  const untilComposed = useCallback(
    () => new Promise<void>((resolve) => (isComposing.current ? waiting.current.push(resolve) : resolve())),
    [],
  );
  return { untilComposed, fieldProps: { onCompositionStart: start, onCompositionEnd: end } };
}
