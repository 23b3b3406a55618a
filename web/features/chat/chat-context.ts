import { createContext, type ReactNode, useContext } from 'react';
import type { Compression } from '../../../server/domains/compression/schema';
import type { PagedMessage } from '../../../server/domains/messages/schema';
import type { AttachmentTray } from '../../lib/attachment-tray';
import type { SlashCommand } from '../../lib/slash-command';
import type { CompressionInView } from './stream/state';
import type { ChatActions } from './use-chat-actions';

/** What rows of the transcript can do; the same object for the life of a chat. */
export const ChatActionsContext = createContext<ChatActions | null>(null);

/** What a card of a compression is given. */
export interface CompressionCardView {
  compressionId: string;
  /** What the card among the messages says; null while it is only live. */
  compression: Compression | null;
  live: CompressionInView | null;
  /** The latest in force: it can be undone. */
  isLatest: boolean;
}

/** What other features put into a chat; routes compose them, so that features stay apart. */
export interface ChatSlots {
  /** The card of a compression, live or done. */
  compressionCard?(view: CompressionCardView): ReactNode;
  /** The card of what memory recall brought back. */
  recalledCard?(message: PagedMessage): ReactNode;
  /** What stands below a call that gave a task to a subagent. */
  subagentCard?(toolCallId: string): ReactNode;
  /** What fills the popover of the context ring. */
  contextDetails?: ReactNode;
  /** Stands above the composer. */
  aboveComposer?: ReactNode;
  /** What stands beside the wheel while an answer is on its way; `words` are the chat's own for it. */
  statusWords?(words: string): ReactNode;
  /** Takes files for the next message. */
  attachmentTray?: AttachmentTray;
  /** What was sent with a person's message. */
  messageFiles?(message: PagedMessage): ReactNode;
  /** Pictures that the result of a tool carries; null for most. */
  toolImages?(result: PagedMessage): ReactNode;
  /** What goes with a message that waits. */
  queuedFiles?(fileIds: readonly string[]): ReactNode;
  /** The card of a tool message that published or shared a file (`metadata.artifact`). */
  artifactCard?(message: PagedMessage): ReactNode;
  /** The card of a message that carries a plan (`isPlan`). */
  planCard?(message: PagedMessage): ReactNode;
}

/** What other features put into the composer. */
export interface ComposerParts {
  /** What the slash menu offers beside the composer's own commands. */
  commands?: readonly SlashCommand[];
  /** All that the menu is to offer: asked for when somebody begins to type a command, and before one is sent. */
  loadCommands?(): Promise<readonly SlashCommand[]>;
  /** Stands at the foot, beside the model. */
  tools?: ReactNode;
}

export const ChatSlotsContext = createContext<ChatSlots>({});

export function useChatActions(): ChatActions {
  const actions = useContext(ChatActionsContext);
  if (actions === null) throw new Error('useChatActions outside of a chat');
  return actions;
}
