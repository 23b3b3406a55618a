import { useMemo } from 'react';
import { wordsForError } from '../../lib/error-words';
import { newId } from '../../lib/ids';
import { showFailure } from '../../lib/toast';
import { useTRPCClient } from '../../lib/trpc';

export interface ChatActions {
  stop(): Promise<void>;
  resume(): Promise<void>;
  regenerate(sequenceNumber: number): Promise<void>;
  /** Answers whether it was taken: the editor keeps its text otherwise. */
  editAndResend(sequenceNumber: number, text: string): Promise<boolean>;
  selectVariant(branchId: number): Promise<void>;
  approve(answer: { toolCallId: string; decision: 'approved' | 'denied'; forSession?: boolean }): Promise<void>;
  cancelQueued(queuedId: string): Promise<void>;
  editQueued(queuedId: string, text: string): Promise<boolean>;
  /** Sends a message that was not written in the composer. The same id again is the same message. */
  send(clientMessageId: string, text: string): Promise<boolean>;
  fork(sequenceNumber: number): void;
}

/** What a person can do inside one chat. Results come back as events; only failures speak here. */
export function useCreateChatActions(sessionId: string, fork: (sequenceNumber: number) => void): ChatActions {
  const client = useTRPCClient();
  return useMemo(() => {
    const attempt = async (call: Promise<unknown>): Promise<boolean> => {
      try {
        await call;
        return true;
      } catch (error) {
        showFailure(wordsForError(error));
        return false;
      }
    };
    const quietly = async (call: Promise<unknown>) => void (await attempt(call));
    return {
      stop: () => quietly(client.runs.stop.mutate({ sessionId })),
      resume: () => quietly(client.runs.resume.mutate({ sessionId })),
      regenerate: (sequenceNumber) => quietly(client.messages.regenerate.mutate({ sessionId, sequenceNumber })),
      editAndResend: (sequenceNumber, text) =>
        attempt(client.messages.editAndResend.mutate({ sessionId, sequenceNumber, clientMessageId: newId(), text })),
      selectVariant: (branchId) => quietly(client.messages.selectVariant.mutate({ sessionId, branchId })),
      approve: (answer) => quietly(client.runs.approve.mutate({ sessionId, ...answer })),
      cancelQueued: (queuedId) => quietly(client.messages.cancelQueued.mutate({ sessionId, queuedId })),
      editQueued: (queuedId, text) => attempt(client.messages.editQueued.mutate({ sessionId, queuedId, text })),
      send: (clientMessageId, text) => attempt(client.messages.send.mutate({ sessionId, clientMessageId, text })),
      fork,
    };
  }, [client, sessionId, fork]);
}
