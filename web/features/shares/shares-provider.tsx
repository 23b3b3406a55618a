import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { type Sharing, SharingContext } from '../../lib/sharing';
import { useTRPC } from '../../lib/trpc';

const ShareDialog = lazy(() => import('./share-dialog'));
const SharedDialog = lazy(() => import('./shared-dialog'));

type Shown = { kind: 'share'; sessionId: string; name: string } | { kind: 'all' } | null;

/** Knows what is shared, and holds the dialogs for it. */
export function SharesProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>(null);
  // Another tab may have shared something: looked at again whenever this one comes to the front.
  const { data } = useQuery({ ...useTRPC().shares.list.queryOptions(), refetchOnWindowFocus: 'always' });
  const ids = useMemo(() => new Set(data?.items.map((item) => item.sessionId)), [data]);
  const sharing = useMemo<Sharing>(
    () => ({
      share: (sessionId, name) => setShown({ kind: 'share', sessionId, name }),
      showAll: () => setShown({ kind: 'all' }),
      isShared: (sessionId) => ids.has(sessionId),
      hasAny: ids.size > 0,
    }),
    [ids],
  );
  const close = useCallback(() => setShown(null), []);
  return (
    <SharingContext value={sharing}>
      {children}
      <Suspense fallback={null}>
        {shown?.kind === 'share' && <ShareDialog sessionId={shown.sessionId} name={shown.name} onClose={close} />}
        {shown?.kind === 'all' && <SharedDialog onClose={close} />}
      </Suspense>
    </SharingContext>
  );
}
