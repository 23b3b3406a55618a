import { createContext, useContext } from 'react';
import type { ChatActions } from './use-chat-actions';

/** What rows of the transcript can do; the same object for the life of a chat. */
export const ChatActionsContext = createContext<ChatActions | null>(null);

export function useChatActions(): ChatActions {
  const actions = useContext(ChatActionsContext);
  if (actions === null) throw new Error('useChatActions outside of a chat');
  return actions;
}
