import { useCallback, useState } from 'react';
import { readStored, writeStored } from './storage';

/** A remembered choice out of a closed set. */
export function useStored<Value extends string>(key: string, allowed: readonly Value[], fallback: Value) {
  const [value, setValue] = useState<Value>(() => {
    const stored = readStored(key);
    return allowed.find((option) => option === stored) ?? fallback;
  });
  const store = useCallback(
    (next: Value) => {
      setValue(next);
      writeStored(key, next);
    },
    [key],
  );
  return [value, store] as const;
}
