import { useQuery } from '@tanstack/react-query';
import { Check, Link2 } from 'lucide-react';
import { Link } from 'wouter';
import type { SharedSession } from '../../../server/domains/shares/schema';
import { IconButton } from '../../components/button';
import { Spinner } from '../../components/spinner';
import { wordsForError } from '../../lib/error-words';
import { formatWhen, plural } from '../../lib/format';
import { useTRPC } from '../../lib/trpc';
import { useCopy } from '../../lib/use-copy';
import { DialogFrame } from './dialog-frame';
import { linkOf } from './link-of';

/** Everything that a person shares, newest share first. */
export default function SharedDialog({ onClose }: { onClose(): void }) {
  const { data, error } = useQuery({ ...useTRPC().shares.list.queryOptions(), refetchOnMount: 'always' });
  return (
    <DialogFrame title="Shared chats" onClose={onClose}>
      {data === undefined ? (
        error === null ? (
          <Spinner />
        ) : (
          <p className="text-failed text-meta">{wordsForError(error)}</p>
        )
      ) : data.items.length === 0 ? (
        <p className="text-meta text-muted">No chat is shared.</p>
      ) : (
        <ul aria-label="Shared chats" className="divide-y divide-line">
          {data.items.map((item) => (
            <SharedChat key={item.sessionId} item={item} onLeave={onClose} />
          ))}
        </ul>
      )}
      <p className="mt-3 text-meta text-muted">
        A link works as long as its chat exists. Delete the chat to end the share.
      </p>
    </DialogFrame>
  );
}

function SharedChat({ item, onLeave }: { item: SharedSession; onLeave(): void }) {
  const [isCopied, copy] = useCopy();
  const name = item.name ?? (item.opening === '' ? item.preview : item.opening);
  return (
    <li className="flex items-center gap-2 py-2">
      <div className="min-w-0 flex-1">
        <Link
          href={`/s/${item.sessionId}`}
          onClick={onLeave}
          dir="auto"
          className="block truncate text-sm hover:underline"
        >
          {name}
        </Link>
        <p className="tabular text-faint text-small">
          Shared {formatWhen(item.sharedAt)} · {plural(item.displayMessageCount, 'message')}
        </p>
      </div>
      <IconButton label={isCopied ? 'Copied' : `Copy link of ${name}`} onClick={() => void copy(linkOf(item.token))}>
        {isCopied ? <Check size={16} /> : <Link2 size={16} strokeWidth={1.75} />}
      </IconButton>
    </li>
  );
}
