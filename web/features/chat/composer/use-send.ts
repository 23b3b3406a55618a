import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useConnection } from '../../../lib/connection-status';
import { appCodeOf, isAway, wordsForError } from '../../../lib/error-words';
import { useTRPCClient } from '../../../lib/trpc';
import { afterSent, type Draft, emptyDraft, wanted } from './draft';

/** While the server is away, it is tried again this often, in milliseconds; and at once when the connection is back. */
const RETRY_MS = 3_000;

export type SendState =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'waiting' }
  | { kind: 'refused'; words: string };

interface SendOptions {
  sessionId: string | null;
  draft: RefObject<Draft>;
  setDraft(draft: Draft, isUrgent?: boolean): void;
  /** The model for a chat that does not exist yet; null follows the default. */
  newChatModel: string | null;
  onCreated(sessionId: string): void;
}

/**
 * Sends the draft. The text stays in the composer until the server has acknowledged it, and goes out under the same id
 * however often that takes: Enter twice, a lost reply, a reload and a server that was away all end in one message.
 */
export function useSend(options: SendOptions) {
  const { sessionId, draft, setDraft, newChatModel, onCreated } = options;
  const client = useTRPCClient();
  const connection = useConnection();
  const [state, setState] = useState<SendState>({ kind: 'idle' });
  const isBusy = useRef(false);
  const isMounted = useRef(false);

  const send = useCallback(async () => {
    if (isBusy.current || draft.current.text.trim() === '') return;
    isBusy.current = true;
    const sent = wanted(draft.current);
    setDraft(sent, true);
    setState({ kind: 'sending' });
    try {
      let target = sessionId ?? sent.sessionId;
      if (target === null) {
        target = (await client.sessions.create.mutate({})).id;
        setDraft({ ...draft.current, sessionId: target }, true);
        if (newChatModel !== null) await client.sessions.setModel.mutate({ sessionId: target, model: newChatModel });
      }
      await client.messages.send.mutate({ sessionId: target, clientMessageId: sent.clientMessageId, text: sent.text });
      setDraft(afterSent(draft.current, sent), true);
      setState({ kind: 'idle' });
      if (sessionId === null) onCreated(target);
    } catch (error) {
      if (isAway(error)) {
        setState({ kind: 'waiting' });
      } else {
        // A chat that was created for this text and is gone by now: the next attempt makes another.
        const isLost = appCodeOf(error) === 'not-found' && sessionId === null;
        setDraft({ ...draft.current, isWanted: false, sessionId: isLost ? null : draft.current.sessionId }, true);
        setState({ kind: 'refused', words: wordsForError(error) });
      }
    } finally {
      isBusy.current = false;
    }
  }, [client, draft, setDraft, sessionId, newChatModel, onCreated]);

  // What was wanted before a reload, or while the server was away, goes out by itself.
  useEffect(() => {
    if (isMounted.current) return;
    isMounted.current = true;
    if (draft.current.isWanted) void send();
  }, [draft, send]);
  useEffect(() => {
    if (state.kind !== 'waiting') return;
    const again = () => void send();
    const timer = setTimeout(again, RETRY_MS);
    const off = connection.onStatus(() => connection.status() === 'open' && again());
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [state, connection, send]);

  const cancel = useCallback(() => {
    setDraft({ ...emptyDraft, text: draft.current.text, sessionId: draft.current.sessionId }, true);
    setState({ kind: 'idle' });
  }, [draft, setDraft]);
  const clearRefusal = useCallback(() => setState((now) => (now.kind === 'refused' ? { kind: 'idle' } : now)), []);

  return { state, send, cancel, clearRefusal };
}
