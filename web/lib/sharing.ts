/** What any part of the client may ask of the sharing of chats; the feature that does it is composed around everything. */
import { createContext, useContext } from 'react';

export interface Sharing {
  /** Opens what shares a chat: what would be seen, likely secrets, the link. */
  share(sessionId: string, name: string): void;
  /** Opens the list of everything that is shared. */
  showAll(): void;
  isShared(sessionId: string): boolean;
  hasAny: boolean;
}

const nothing: Sharing = { share: () => {}, showAll: () => {}, isShared: () => false, hasAny: false };
export const SharingContext = createContext<Sharing>(nothing);
export const useSharing = (): Sharing => useContext(SharingContext);
