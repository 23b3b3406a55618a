import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Message } from '../../../../server/domains/messages/schema';
import { useConnection } from '../../../lib/connection-status';
import { appCodeOf, isAway, wordsForError } from '../../../lib/error-words';
import type { SlashCommand } from '../../../lib/slash-command';
import { useTRPCClient } from '../../../lib/trpc';
import { afterSent, type Draft, emptyDraft, isEmptyDraft, wanted, withText } from './draft';
import { mayBeCommand, planCommand, readCommand, withNamesApart } from './slash-commands';

/** While the server is away, it is tried again this often, in milliseconds; and at once when the connection is back. */
const RETRY_MS = 3_000;

const FILES_LOST = 'What was attached is no longer kept after such a long time. Attach it again, then send.';

export type SendState =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'waiting' }
  | { kind: 'refused'; words: string };

interface SendOptions {
  sessionId: string | null;
  draft: RefObject<Draft>;
  setDraft(draft: Draft, isUrgent?: boolean): void;
  /** From here on what is written belongs to that chat. */
  moveTo(sessionId: string): void;
  /** Resolves when no input method is composing in the field. */
  untilComposed(): Promise<void>;
  /** The chat to send to, created where it does not exist yet. */
  ensureSession(): Promise<string>;
  /** What a chat that was created for the first message needs before it. */
  prepare?: ((sessionId: string) => Promise<void>) | undefined;
  /** Commands that are carried out instead of being sent, as far as they are known. */
  commands: readonly SlashCommand[];
  /** All of them: a text that looks like one and is none of the known waits for these. */
  loadCommands?: (() => Promise<readonly SlashCommand[]>) | undefined;
  /** `message` is what it begins with; null where it waits. */
  onCreated(sessionId: string, message: Message | null): void;
}

/**
 * Sends the draft. The text stays in the composer until the server has acknowledged it, and goes out under the same id
 * however often that takes: Enter twice, a lost reply, a reload and a server that was away all end in one message.
 */
export function useSend(options: SendOptions) {
  const {
    sessionId,
    draft,
    setDraft,
    moveTo,
    untilComposed,
    ensureSession,
    prepare,
    commands,
    loadCommands,
    onCreated,
  } = options;
  const client = useTRPCClient();
  const connection = useConnection();
  const [state, setState] = useState<SendState>({ kind: 'idle' });
  const isBusy = useRef(false);
  /** What is on its way, and whether Enter was pressed on something else meanwhile. */
  const onItsWay = useRef<string | null>(null);
  const isNextWanted = useRef(false);
  const isMounted = useRef(false);
  const isShown = useRef(true);

  const latestSend = useRef<() => Promise<void>>(async () => {});
  const send = useCallback(async () => {
    if (isBusy.current) {
      isNextWanted.current = onItsWay.current !== null && draft.current.text !== onItsWay.current;
      return;
    }
    if (isEmptyDraft(draft.current)) return;
    const asked = draft.current.text;
    let typed = readCommand(asked, commands);
    if (typed === null && loadCommands !== undefined && mayBeCommand(asked)) {
      isBusy.current = true;
      setState({ kind: 'sending' });
      try {
        typed = readCommand(asked, withNamesApart([planCommand, ...(await loadCommands())]));
      } catch (error) {
        if (isAway(error)) {
          setDraft(wanted(draft.current), true);
          setState({ kind: 'waiting' });
          return;
        }
        // Without their list it is a message, as any other text.
      } finally {
        isBusy.current = false;
      }
      setState({ kind: 'idle' });
      if (draft.current.text !== asked) return;
    }
    if (typed?.command.needsArgument && typed.argument === '') {
      const { name, argument } = typed.command;
      setState({ kind: 'refused', words: `Write behind /${name}: ${argument}.` });
      return;
    }
    isBusy.current = true;
    if (typed?.command.run !== undefined) {
      const run = typed.command.run(typed.argument, ensureSession);
      const taken = await run.catch(() => false);
      isBusy.current = false;
      // What was typed on meanwhile stays, and so does what is attached.
      if (taken === false || draft.current.text !== asked) return;
      setDraft(withText(draft.current, taken === true ? '' : taken), true);
      if (taken === true) return;
      isBusy.current = true;
    }
    const sent = wanted(draft.current);
    onItsWay.current = sent.text;
    isNextWanted.current = false;
    let isSent = false;
    setDraft(sent, true);
    setState({ kind: 'sending' });
    try {
      const target = await ensureSession();
      if (sessionId === null) await prepare?.(target);
      const { clientMessageId } = sent;
      const fileIds = sent.files.length === 0 ? {} : { fileIds: sent.files.map((file) => file.id) };
      const content = typed?.command === planCommand ? { text: typed.argument, plan: true } : { text: sent.text };
      const { message } = await client.messages.send.mutate({
        sessionId: target,
        clientMessageId,
        ...content,
        ...fileIds,
      });
      await untilComposed();
      const rest = afterSent(draft.current, sent);
      // A chat that was just created goes on in a composer of its own: with what was typed on, and that it is wanted.
      if (sessionId === null) moveTo(target);
      setDraft(sessionId === null && isNextWanted.current ? wanted(rest) : rest, true);
      setState({ kind: 'idle' });
      // Who looks at something else by now is not taken away from it.
      if (sessionId === null && isShown.current) onCreated(target, message as Message | null);
      isSent = true;
    } catch (error) {
      if (isAway(error)) {
        setState({ kind: 'waiting' });
      } else {
        // A chat that was created for this draft and is gone by now, its files with it: the next attempt makes another.
        const isLost = appCodeOf(error) === 'not-found' && sessionId === null;
        const lost = isLost ? { sessionId: null, files: [] } : {};
        setDraft({ ...draft.current, isWanted: false, ...lost }, true);
        const areFilesLost = isLost && sent.files.length > 0;
        setState({ kind: 'refused', words: areFilesLost ? FILES_LOST : wordsForError(error) });
      }
    } finally {
      isBusy.current = false;
      onItsWay.current = null;
    }
    if (isSent && isNextWanted.current && sessionId !== null) void latestSend.current();
  }, [
    client,
    draft,
    setDraft,
    moveTo,
    untilComposed,
    ensureSession,
    sessionId,
    prepare,
    commands,
    loadCommands,
    onCreated,
  ]);

  useEffect(() => {
    latestSend.current = send;
  }, [send]);

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
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
    const { text, files, sessionId: created } = draft.current;
    setDraft({ ...emptyDraft, text, files, sessionId: created }, true);
    setState({ kind: 'idle' });
  }, [draft, setDraft]);
  const clearRefusal = useCallback(() => setState((now) => (now.kind === 'refused' ? { kind: 'idle' } : now)), []);

  return { state, send, cancel, clearRefusal };
}
