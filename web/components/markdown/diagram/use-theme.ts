import { useSyncExternalStore } from 'react';

/** What a diagram's colours depend on: changes with the page's theme, whoever switches it. */
export function useThemeKey(): string {
  return useSyncExternalStore(subscribe, readThemeKey, () => '');
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-theme', 'style'] });
  query.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    query.removeEventListener('change', onChange);
  };
}

function readThemeKey(): string {
  const style = getComputedStyle(document.documentElement);
  return `${style.getPropertyValue('--bg')}|${style.getPropertyValue('--text')}|${style.colorScheme}`;
}
