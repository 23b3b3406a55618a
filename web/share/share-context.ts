import { createContext, useContext } from 'react';
import type { ShareClient } from './share-client';

export const ShareClientContext = createContext<ShareClient | null>(null);

export function useShareClient(): ShareClient {
  const client = useContext(ShareClientContext);
  if (client === null) throw new Error('useShareClient outside of a share');
  return client;
}
