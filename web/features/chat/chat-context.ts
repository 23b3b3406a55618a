import { createContext, type ReactNode, useContext } from 'react';
import type { PagedMessage } from '../../../server/domains/messages/schema';
import type { ChatActions } from './use-chat-actions';

/** What rows of the transcript can do; the same object for the life of a chat. */
export const ChatActionsContext = createContext<ChatActions | null>(null);

/** What other features put into a chat; routes compose them, so that features stay apart. */
export interface ChatSlots {
  /** Stands above the composer. */
  aboveComposer?: ReactNode;
  /** The card of a message that carries a plan (`isPlan`). */
  planCard?(message: PagedMessage): ReactNode;
}

export const ChatSlotsContext = createContext<ChatSlots>({});

export function useChatActions(): ChatActions {
  const actions = useContext(ChatActionsContext);
  if (actions === null) throw new Error('useChatActions outside of a chat');
  return actions;
}
