import { Link2 } from 'lucide-react';
import { useSharing } from '../../lib/sharing';

/** In the head of a chat that is public: says so, and leads to its link. */
export function SharedMark({ sessionId, name }: { sessionId: string; name: string }) {
  const { isShared, share } = useSharing();
  if (!isShared(sessionId)) return null;
  return (
    <button
      type="button"
      title="Whoever has the link can read this chat"
      onClick={() => share(sessionId, name)}
      className="flex h-7 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 text-accent-text text-small hover:bg-selected"
    >
      <Link2 size={13} aria-hidden />
      Shared
    </button>
  );
}
