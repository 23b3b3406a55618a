import { Check, Pencil, X } from 'lucide-react';
import { useContext, useState } from 'react';
import type { QueuedMessage } from '../../../../server/domains/messages/schema';
import { IconButton } from '../../../components/button';
import { newId } from '../../../lib/ids';
import { isComposing } from '../../../lib/is-composing';
import { ChatSlotsContext, useChatActions } from '../chat-context';
import { useChat } from '../stream/use-session-stream';

/** What somebody makes of a waiting message. */
interface Edit {
  message: QueuedMessage;
  text: string;
  /** Under which it is sent when its message went out meanwhile: pressed twice, it is one. */
  clientMessageId: string;
}

/** Messages that wait for the running answer, in the order in which they will go. */
export function QueueChips() {
  const queue = useChat((state) => state.queue);
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  // The message goes out when the answer ends, whoever writes on it: what was written stays.
  const left = edits.filter(
    ({ message, text }) => text !== message.text && !queue.some(({ queuedId }) => queuedId === message.queuedId),
  );
  if (queue.length + left.length === 0) return null;
  const editOf = ({ queuedId }: QueuedMessage) => edits.find(({ message }) => message.queuedId === queuedId) ?? null;
  const keep = (message: QueuedMessage, edit: Edit | null) =>
    setEdits((before) => [
      ...before.filter((other) => other.message.queuedId !== message.queuedId),
      ...(edit === null ? [] : [edit]),
    ]);
  return (
    <ol aria-label="Waiting messages" className="mb-2 max-h-[24dvh] space-y-1 overflow-y-auto">
      {[...left.map(({ message }) => message), ...queue].map((message, index) => (
        <QueueChip
          key={message.queuedId}
          message={message}
          place={index < left.length ? null : index - left.length + 1}
          edit={editOf(message)}
          onEdit={(edit) => keep(message, edit)}
        />
      ))}
    </ol>
  );
}

interface QueueChipProps {
  message: QueuedMessage;
  /** Null when it was sent while it was edited. */
  place: number | null;
  edit: Edit | null;
  onEdit(edit: Edit | null): void;
}

function QueueChip({ message, place, edit, onEdit }: QueueChipProps) {
  const actions = useChatActions();
  const { queuedFiles } = useContext(ChatSlotsContext);
  const isEmpty = edit?.text.trim() === '';
  const isSent = place === null;
  const save = async () => {
    if (edit === null || isEmpty) return;
    const isTaken = isSent
      ? await actions.send(edit.clientMessageId, edit.text)
      : edit.text === message.text || (await actions.editQueued(message.queuedId, edit.text));
    if (isTaken) onEdit(null);
  };
  return (
    <li className="flex items-start gap-2 rounded-card border border-line bg-sunken py-0.5 pr-1 pl-3 text-meta">
      {!isSent && (
        <span className="tabular shrink-0 py-1 text-faint" title="Place in the queue">
          {place}
        </span>
      )}
      {edit === null ? (
        <div className="min-w-0 flex-1 py-1">
          <p dir="auto" className="line-clamp-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {message.text}
          </p>
          {message.fileIds.length > 0 && queuedFiles?.(message.fileIds)}
        </div>
      ) : (
        <div className="min-w-0 flex-1 py-1">
          <textarea
            aria-label="Edit waiting message"
            dir="auto"
            rows={1}
            value={edit.text}
            // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit.
            autoFocus
            onChange={(event) => onEdit({ ...edit, text: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (isComposing(event)) return;
              if (event.key === 'Escape') onEdit(null);
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault();
                void save();
              }
            }}
            className="field-sizing-content block max-h-32 w-full resize-none bg-transparent outline-none"
          />
          {isSent && (
            <p role="status" className="text-small text-warning">
              This message was sent as it was. Your change can go as another one.
            </p>
          )}
        </div>
      )}
      {edit === null ? (
        <IconButton
          size="small"
          label="Edit waiting message"
          onClick={() => onEdit({ message, text: message.text, clientMessageId: newId() })}
        >
          <Pencil size={13} />
        </IconButton>
      ) : (
        <IconButton
          size="small"
          label={isSent ? 'Send as another message' : 'Save'}
          disabled={isEmpty}
          onClick={() => void save()}
        >
          <Check size={14} />
        </IconButton>
      )}
      <IconButton
        size="small"
        label={edit === null ? 'Remove waiting message' : isSent ? 'Drop the change' : 'Keep as it was'}
        onClick={() => (edit === null ? void actions.cancelQueued(message.queuedId) : onEdit(null))}
      >
        <X size={14} />
      </IconButton>
    </li>
  );
}
