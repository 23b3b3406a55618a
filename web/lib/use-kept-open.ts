import { useState } from 'react';

/** Rows remembered; the oldest are forgotten first. */
const MAX_KEPT = 500;
const kept = new Map<string, boolean>();

/**
 * Whether something in a row of a virtual list is open, remembered while the page lives: rows that scroll far away are taken
 * out, and an open card must be open when the reader comes back. `key` is unique among all rows of all sessions.
 */
export function useKeptOpen(key: string): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setIsOpen] = useState(() => kept.get(key) ?? false);
  const toggle = () => {
    kept.delete(key);
    if (!isOpen) kept.set(key, true);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    setIsOpen(!isOpen);
  };
  return [isOpen, toggle];
}
