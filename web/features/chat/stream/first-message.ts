/**
 * The first message of a chat that was just created, handed from the page where it was written to the chat that opens: it
 * is on the screen at once, and not only when the chat has been read.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { Message } from '../../../../server/domains/messages/schema';

const keyOf = (sessionId: string) => ['first-message', sessionId];

/** Keeps it until the chat is open. */
export const keepFirstMessage = (queryClient: QueryClient, sessionId: string, message: Message): void =>
  void queryClient.setQueryData(keyOf(sessionId), message);

/** What was kept; undefined for every chat that was there before. */
export const readFirstMessage = (queryClient: QueryClient, sessionId: string): Message | undefined =>
  queryClient.getQueryData(keyOf(sessionId));

/** Lets go of it: whoever comes back to the chat finds more than this. */
export const dropFirstMessage = (queryClient: QueryClient, sessionId: string): void =>
  queryClient.removeQueries({ queryKey: keyOf(sessionId) });
