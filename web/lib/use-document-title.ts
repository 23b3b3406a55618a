import { useEffect } from 'react';

/** The tab's title while the component is mounted. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === '' ? 'Navi' : `${title} · Navi`;
  }, [title]);
}
