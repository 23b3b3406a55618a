import { ArrowUp, Square } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import type { Message } from '../../../../server/domains/messages/schema';
import { IconButton } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import type { AttachmentTray } from '../../../lib/attachment-tray';
import { isComposing } from '../../../lib/is-composing';
import type { SlashCommand } from '../../../lib/slash-command';
import { isEmptyDraft, withText } from './draft';
import { fitHeight } from './fit-height';
import { SendNotice } from './send-notice';
import { planCommand, withNamesApart } from './slash-commands';
import { SlashMenu } from './slash-menu';
import { useAttachments } from './use-attachments';
import { useComposition } from './use-composition';
import { useDraft } from './use-draft';
import { useDraftSession } from './use-draft-session';
import { useSend } from './use-send';
import { useSendWhenUploaded } from './use-send-when-uploaded';
import { useSlashMenu } from './use-slash-menu';

export interface ComposerHandle {
  focus(): void;
  /** Puts text in, as a suggestion does, and moves the focus behind it. */
  fill(text: string): void;
}

interface ComposerProps {
  /** Null before the chat exists: it is created with the first message. */
  sessionId: string | null;
  isRunning: boolean;
  isStopping: boolean;
  /** What a chat that was created for the first message needs before it: its model, its profile. */
  prepare?: ((sessionId: string) => Promise<void>) | undefined;
  onStop(): void;
  onCreated(sessionId: string, message: Message | null): void;
  /** What the slash menu offers beside `/plan`. */
  commands?: readonly SlashCommand[] | undefined;
  /** All that the menu is to offer: asked for when somebody begins to type a command, and before one is sent. */
  loadCommands?: (() => Promise<readonly SlashCommand[]>) | undefined;
  /** Takes files; without it none can be attached. */
  attachmentTray?: AttachmentTray | undefined;
  /** Model picker and context ring, at the foot. */
  tools: ReactNode;
  ref?: React.Ref<ComposerHandle>;
}

const noCommands: readonly SlashCommand[] = [];
const canHover = () => matchMedia('(hover: hover)').matches;

/** Where people write. Enter sends, Shift+Enter breaks the line; while an answer runs, a message is queued behind it. */
export function Composer(props: ComposerProps) {
  const {
    sessionId,
    isRunning,
    isStopping,
    prepare,
    commands = noCommands,
    loadCommands,
    onStop,
    onCreated,
    attachmentTray,
    tools,
    ref,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, ref: latest, setDraft, typed, settle, moveTo } = useDraft(sessionId, field);
  const composition = useComposition();
  const allCommands = useMemo(() => withNamesApart([planCommand, ...commands]), [commands]);
  const ensureSession = useDraftSession({ sessionId, draft: latest, setDraft });
  const { state, send, cancel, clearRefusal } = useSend({
    sessionId,
    draft: latest,
    setDraft,
    moveTo,
    untilComposed: composition.untilComposed,
    ensureSession,
    prepare,
    commands: allCommands,
    loadCommands,
    onCreated,
  });
  const attachments = useAttachments({
    sessionId,
    Tray: attachmentTray,
    draft,
    latest,
    setDraft,
    ensureSession,
    onChange: clearRefusal,
  });
  const sending = useSendWhenUploaded(attachments, send);
  const isEmpty = isEmptyDraft(draft) && !attachments.isUploading;

  const write = useCallback(
    (text: string) => {
      setDraft(withText(latest.current, text));
      clearRefusal();
    },
    [latest, setDraft, clearRefusal],
  );
  const menu = useSlashMenu({
    text: draft.text,
    commands: allCommands,
    field,
    write,
    send: sending.send,
    onWanted: loadCommands,
  });
  useImperativeHandle(
    ref,
    () => ({
      focus: () => field.current?.focus(),
      fill: (text) => {
        write(text);
        field.current?.focus();
      },
    }),
    [write],
  );
  // On touch screens the keyboard would cover what the person came to read.
  useEffect(() => {
    if (canHover()) field.current?.focus({ preventScroll: true });
  }, []);

  const actOnKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (menu.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void sending.send();
    }
    if (event.key === 'Escape' && isRunning && isEmpty) onStop();
  };
  const latestActOnKey = useRef(actOnKey);
  useLayoutEffect(() => {
    latestActOnKey.current = actOnKey;
  });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    // A letter only writes; what other keys mean depends on all that was written.
    if (event.key.length === 1) return;
    settle();
    latestActOnKey.current(event);
  };

  return (
    <form
      className="relative rounded-[14px] border border-line-strong bg-raised shadow-composer transition-colors duration-150 focus-within:border-[color-mix(in_oklab,var(--accent)_60%,var(--line-strong))]"
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send();
      }}
    >
      <SlashMenu menu={menu} side={sessionId === null ? 'below' : 'above'} />
      {attachments.tray}
      <textarea
        ref={field}
        {...menu.fieldProps}
        {...composition.fieldProps}
        aria-label="Message"
        aria-describedby="composer-notice"
        placeholder={isRunning ? 'Write the next message' : 'Write a message'}
        dir="auto"
        rows={1}
        onInput={(event) => {
          typed(event.currentTarget.value);
          fitHeight(event.currentTarget);
          if (state.kind === 'refused') clearRefusal();
        }}
        onKeyDown={onKeyDown}
        onPaste={attachments.onPaste}
        className="field-sizing-content block max-h-[40dvh] min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1.5 text-read outline-none placeholder:text-faint"
      />
      <SendNotice state={state} uploads={sending.wish} onCancel={sending.wish === null ? cancel : sending.cancel} />
      <div
        className="group/tools flex items-center gap-1 px-2 pb-2"
        data-crowded={(isRunning && !isEmpty) || undefined}
      >
        <div className="flex min-w-0 flex-1 items-center gap-1">
          {attachments.button}
          {tools}
        </div>
        {isRunning && (
          <IconButton
            label={isStopping ? 'Stopping' : 'Stop'}
            disabled={isStopping}
            onClick={() => {
              onStop();
              // The button goes; what comes next is most likely the next message.
              if (canHover()) field.current?.focus({ preventScroll: true });
            }}
            look={isEmpty ? 'strong' : 'quiet'}
          >
            <Square size={13} fill="currentColor" strokeWidth={0} aria-hidden />
          </IconButton>
        )}
        {(!isRunning || !isEmpty) && (
          <IconButton
            type="submit"
            label={isRunning ? 'Queue message' : 'Send message'}
            disabled={isEmpty || state.kind === 'sending'}
            look="primary"
          >
            {state.kind === 'sending' ? <Spinner className="text-current" /> : <ArrowUp size={18} aria-hidden />}
          </IconButton>
        )}
      </div>
    </form>
  );
}
