/** Light, dark, or as the system says. `public/boot.js` reads the same key before the first paint. */
import { useEffect } from 'react';
import { useStored } from './use-stored';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export function useTheme() {
  const [theme, setTheme] = useStored<Theme>('theme', themes, 'system');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, setTheme] as const;
}
