import { useCallback, useContext, useMemo, useState } from 'react';
import type { Session } from '../../../server/domains/sessions/schema';
import type { SessionEvent } from '../../../server/events/topics';
import { Announcer } from './announcer';
import {
  ChatActionsContext,
  type ChatSlots,
  ChatSlotsContext,
  type ComposerParts,
  useChatActions,
} from './chat-context';
import { Composer } from './composer/composer';
import { ContextRing } from './composer/context-ring';
import { ModelPicker } from './composer/model-picker';
import { QueueChips } from './composer/queue-chips';
import { isTurnRunning } from './stream/items';
import { SessionStreamContext, useChat, useSessionStream } from './stream/use-session-stream';
import { Transcript } from './transcript/transcript';
import { useCreateChatActions } from './use-chat-actions';
import { useSetModel } from './use-set-model';

interface ChatProps {
  sessionId: string;
  /** Undefined while it is on its way; the transcript does not wait for it. */
  session: Session | undefined;
  onFork(sequenceNumber: number): void;
  /** Every event of the session as it arrives, for what stands beside the chat. */
  onEvent?(event: SessionEvent): void;
  slots?: ChatSlots;
  composer?: ComposerParts;
}

const noSlots: ChatSlots = {};
const noParts: ComposerParts = {};

/** One open chat: transcript, queue, composer. Give it the session's id as key. */
export function Chat({ sessionId, session, onFork, onEvent, slots = noSlots, composer = noParts }: ChatProps) {
  const stream = useSessionStream(sessionId, onEvent);
  const actions = useCreateChatActions(sessionId, onFork);
  const [isPickerOpen, setIsPickerOpen] = useState(false);
  const openPicker = useCallback(() => setIsPickerOpen(true), []);
  return (
    <SessionStreamContext.Provider value={stream}>
      <ChatActionsContext.Provider value={actions}>
        <ChatSlotsContext.Provider value={slots}>
          <Transcript onPickModel={openPicker} />
          <div className="mx-auto w-full max-w-[808px] px-3 pb-3 sm:px-6 sm:pb-4">
            {slots.aboveComposer}
            <QueueChips />
            <ChatComposer
              sessionId={sessionId}
              session={session}
              parts={composer}
              isPickerOpen={isPickerOpen}
              onPickerOpenChange={setIsPickerOpen}
            />
          </div>
          <Announcer />
        </ChatSlotsContext.Provider>
      </ChatActionsContext.Provider>
    </SessionStreamContext.Provider>
  );
}

interface ChatComposerProps {
  sessionId: string;
  session: Session | undefined;
  parts: ComposerParts;
  isPickerOpen: boolean;
  onPickerOpenChange(isOpen: boolean): void;
}

const nothing = () => {};

function ChatComposer({ sessionId, session, parts, isPickerOpen, onPickerOpenChange }: ChatComposerProps) {
  const { model = null, contextTokenCount = 0, contextWindow } = session ?? {};
  const runState = useChat((state) => state.runState);
  const isRunning = useChat((state) => isTurnRunning(state) || state.runState === 'running');
  const { contextDetails, attachmentTray } = useContext(ChatSlotsContext);
  const actions = useChatActions();
  const setModel = useSetModel(sessionId);
  // The same element while nothing in it changes: a key press paints the text and no more.
  const tools = useMemo(
    () => (
      <>
        <ModelPicker value={model} onPick={setModel} isOpen={isPickerOpen} onOpenChange={onPickerOpenChange} />
        {parts.tools}
        <span className="flex-1" />
        {contextWindow !== undefined && (
          <ContextRing contextTokenCount={contextTokenCount} contextWindow={contextWindow} details={contextDetails} />
        )}
      </>
    ),
    [model, contextTokenCount, contextWindow, contextDetails, parts.tools, setModel, isPickerOpen, onPickerOpenChange],
  );
  return (
    <Composer
      sessionId={sessionId}
      isRunning={isRunning || runState === 'stopping'}
      commands={parts.commands}
      loadCommands={parts.loadCommands}
      attachmentTray={attachmentTray}
      isStopping={runState === 'stopping'}
      onStop={() => void actions.stop()}
      onCreated={nothing}
      tools={tools}
    />
  );
}
