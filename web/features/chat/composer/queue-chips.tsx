import { Check, Pencil, X } from 'lucide-react';
import { useContext, useState } from 'react';
import type { QueuedMessage } from '../../../../server/domains/messages/schema';
import { IconButton } from '../../../components/button';
import { ChatSlotsContext, useChatActions } from '../chat-context';
import { useChat } from '../stream/use-session-stream';

/** Messages that wait for the running answer, in the order in which they will go. */
export function QueueChips() {
  const queue = useChat((state) => state.queue);
  if (queue.length === 0) return null;
  return (
    <ol aria-label="Waiting messages" className="mb-2 max-h-[24dvh] space-y-1 overflow-y-auto">
      {queue.map((message, index) => (
        <QueueChip key={message.queuedId} message={message} place={index + 1} />
      ))}
    </ol>
  );
}

function QueueChip({ message, place }: { message: QueuedMessage; place: number }) {
  const actions = useChatActions();
  const { queuedFiles } = useContext(ChatSlotsContext);
  const [edited, setEdited] = useState<string | null>(null);
  const isEmpty = edited?.trim() === '';
  const save = async () => {
    if (edited === null || isEmpty) return;
    if (edited === message.text || (await actions.editQueued(message.queuedId, edited))) setEdited(null);
  };
  return (
    <li className="flex items-start gap-2 rounded-card border border-line bg-sunken py-0.5 pr-1 pl-3 text-meta">
      <span className="tabular shrink-0 py-1 text-faint" title="Place in the queue">
        {place}
      </span>
      {edited === null ? (
        <div className="min-w-0 flex-1 py-1">
          <p dir="auto" className="line-clamp-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {message.text}
          </p>
          {message.fileIds.length > 0 && queuedFiles?.(message.fileIds)}
        </div>
      ) : (
        <textarea
          aria-label="Edit waiting message"
          dir="auto"
          rows={1}
          value={edited}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit.
          autoFocus
          onChange={(event) => setEdited(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.keyCode === 229) return;
            if (event.key === 'Escape') setEdited(null);
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              void save();
            }
          }}
          className="field-sizing-content max-h-32 min-w-0 flex-1 resize-none bg-transparent py-1 outline-none"
        />
      )}
      {edited === null ? (
        <IconButton size="small" label="Edit waiting message" onClick={() => setEdited(message.text)}>
          <Pencil size={13} />
        </IconButton>
      ) : (
        <IconButton size="small" label="Save" disabled={isEmpty} onClick={() => void save()}>
          <Check size={14} />
        </IconButton>
      )}
      <IconButton
        size="small"
        label={edited === null ? 'Remove waiting message' : 'Keep as it was'}
        onClick={() => (edited === null ? void actions.cancelQueued(message.queuedId) : setEdited(null))}
      >
        <X size={14} />
      </IconButton>
    </li>
  );
}
