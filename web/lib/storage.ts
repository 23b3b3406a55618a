/** Small things remembered in this browser. Storage can be full or switched off: then they are simply not remembered. */
const PREFIX = 'navi.';

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // Nothing to mend: the value lives on in memory until the page closes.
  }
}

/** Tells what another tab of this browser stores under `key`. The returned function ends that. */
export function onStoredElsewhere(key: string, listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === PREFIX + key && listener();
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** A stored JSON value, or null when there is none or it cannot be read. The caller checks its shape. */
export function readStoredJson(key: string): unknown {
  const text = readStored(key);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
