import { Copy, Pencil } from 'lucide-react';
import { memo, useContext, useState } from 'react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { IconButton } from '../../../components/button';
import { Moment } from '../../../components/moment';
import { useCopy } from '../../../lib/use-copy';
import { ChatSlotsContext, useChatActions } from '../chat-context';
import { EditMessage } from './edit-message';
import { MessageFrame } from './message-frame';
import { UserBubble } from './user-bubble';
import { VariantSwitcher } from './variant-switcher';

interface UserMessageProps {
  message: PagedMessage;
  isInContext: boolean;
  isEditing: boolean;
  onEdit(sequenceNumber: number | null): void;
}

/** What the person wrote, as written: line breaks kept, no Markdown. */
export const UserMessage = memo(function UserMessage({ message, isInContext, isEditing, onEdit }: UserMessageProps) {
  const actions = useChatActions();
  const { messageFiles } = useContext(ChatSlotsContext);
  const hasFiles = (message.files?.length ?? 0) + (message.images?.length ?? 0) > 0;
  const [isCopied, copy] = useCopy();
  const [isBusy, setIsBusy] = useState(false);
  if (isEditing) {
    return (
      <MessageFrame isInContext={isInContext} className="pt-5 pb-2">
        <EditMessage
          text={message.content}
          isBusy={isBusy}
          onCancel={() => onEdit(null)}
          onSave={async (text) => {
            setIsBusy(true);
            const isTaken = await actions.editAndResend(message.sequenceNumber, text);
            setIsBusy(false);
            if (isTaken) onEdit(null);
          }}
        />
      </MessageFrame>
    );
  }
  return (
    <MessageFrame isInContext={isInContext} className="pt-5">
      <div className="flex flex-col items-end">
        {hasFiles && <div className="max-w-[min(100%,36rem)] pb-1.5">{messageFiles?.(message)}</div>}
        <UserBubble text={message.content} author="You" />
        <div className="-mb-1 flex h-7 items-center gap-0.5">
          <div className="reveal flex items-center gap-0.5">
            <Moment at={message.createdAt} className="px-1.5 text-small text-faint" />
            <IconButton size="small" label={isCopied ? 'Copied' : 'Copy'} onClick={() => copy(message.content)}>
              <Copy size={14} />
            </IconButton>
            <IconButton size="small" label="Edit and resend" onClick={() => onEdit(message.sequenceNumber)}>
              <Pencil size={14} />
            </IconButton>
          </div>
          <VariantSwitcher variants={message.variants} />
        </div>
      </div>
    </MessageFrame>
  );
});
