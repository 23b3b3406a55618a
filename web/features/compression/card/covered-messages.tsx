import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Markdown } from '../../../components/markdown/markdown';
import { Moment } from '../../../components/moment';
import { Spinner } from '../../../components/spinner';
import { wordsForError } from '../../../lib/error-words';
import { formatSize } from '../../../lib/format';
import { usePlaces } from '../../../lib/places';
import { useTRPC, useTRPCClient } from '../../../lib/trpc';

const PAGE_SIZE = 30;
/** More of one message opens on demand, in characters: what was covered is often long. */
const SHOWN_CHARS = 900;

/** The exact messages that a compression covered, in place, page by page. */
export function CoveredMessages({ sessionId, compressionId }: { sessionId: string; compressionId: string }) {
  const client = useTRPCClient();
  const key = useTRPC().compression.covered.queryKey({ sessionId, compressionId });
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam }) =>
      client.compression.covered.query({ sessionId, compressionId, afterSeq: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextAfterSeq,
  });
  const messages = data?.pages.flatMap((page) => page.messages) ?? [];
  return (
    <div className="relative mt-2 pl-4">
      <span
        aria-hidden
        className="absolute inset-y-0 left-0.5 w-[3px] bg-[length:3px_8px] bg-[radial-gradient(circle_at_center,color-mix(in_oklab,var(--accent)_50%,transparent)_0_1.5px,transparent_1.8px)]"
      />
      <ol aria-label="Covered messages" className="space-y-3">
        {messages.map((message) => (
          <CoveredMessage key={message.sequenceNumber} message={message} />
        ))}
      </ol>
      {error !== null && <p className="py-2 text-muted">{wordsForError(error)}</p>}
      {isFetching && (
        <div className="py-2">
          <Spinner />
        </div>
      )}
      {!isFetching && (hasNextPage || error !== null) && (
        <Button look="quiet" className="mt-2" onClick={() => void fetchNextPage()}>
          {error === null ? 'Show more' : 'Try again'}
        </Button>
      )}
    </div>
  );
}

interface CoveredMessageProps {
  message: {
    sequenceNumber: number;
    role: string;
    content: string;
    createdAt: string;
    isSummary: boolean;
    name: string | null;
    toolCalls: readonly { name: string }[] | null;
  };
}

function CoveredMessage({ message }: CoveredMessageProps) {
  const { sequenceNumber, role, content, createdAt, isSummary, name, toolCalls } = message;
  const places = usePlaces();
  const [isWhole, setIsWhole] = useState(false);
  const who = isSummary
    ? 'Earlier summary'
    : role === 'user'
      ? 'You'
      : role === 'assistant'
        ? 'Navi'
        : role === 'tool'
          ? `Result of ${name ?? 'a tool'}`
          : 'Note';
  const text = isWhole || content.length <= SHOWN_CHARS * 1.3 ? content : `${content.slice(0, SHOWN_CHARS)}…`;
  const called = toolCalls?.map((call) => call.name).join(', ') ?? '';
  return (
    <li>
      <p className="flex items-baseline gap-2 text-faint text-small">
        <span className="font-medium text-muted">{who}</span>
        <Moment at={createdAt} />
        {places !== null && !isSummary && (
          <button
            type="button"
            title="Go to this message"
            onClick={() => places.ask('message', sequenceNumber)}
            className="tabular rounded-control hover:text-text hover:underline"
          >
            #{sequenceNumber}
          </button>
        )}
      </p>
      {text.trim() !== '' && (
        <div dir="auto" className="text-sm [overflow-wrap:anywhere]">
          {role === 'assistant' || isSummary ? (
            <Markdown text={text} isStreaming={false} />
          ) : (
            <p className={role === 'tool' ? 'whitespace-pre-wrap font-mono text-small' : 'whitespace-pre-wrap'}>
              {text}
            </p>
          )}
        </div>
      )}
      {called !== '' && <p className="font-mono text-muted text-small">called {called}</p>}
      {text !== content && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="rounded-control text-accent-text text-small hover:underline"
        >
          Show all {formatSize(content.length)}
        </button>
      )}
    </li>
  );
}
