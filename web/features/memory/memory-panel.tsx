import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { MemoryScope } from '../../../server/domains/memory/schema';
import { Button } from '../../components/button';
import { cx } from '../../lib/class-names';
import { wordsForError } from '../../lib/error-words';
import { usePlaceRequest } from '../../lib/places';
import { useTRPC } from '../../lib/trpc';
import { MemoryResult } from './memory-result';

const LIMIT = 20;
/** A pause in the typing after which it is searched, in milliseconds. */
const TYPING_MS = 200;

const scopes: readonly { scope: MemoryScope; name: string; hint: string; empty: string }[] = [
  {
    scope: 'raw',
    name: 'This chat',
    hint: 'Exact words that left the context of this chat',
    empty:
      'Nothing has left the context of this chat yet. After a compression, everything it covered can be found here.',
  },
  {
    scope: 'sketches',
    name: 'Notes',
    hint: 'What the agent wrote into its scratchpad',
    empty: 'The agent has not written any notes yet.',
  },
  {
    scope: 'sessions',
    name: 'Other chats',
    hint: 'What was said in your other chats',
    empty: 'Nothing was found in other chats.',
  },
];

/** Searches what left the context, exactly as the agent does: the tab “Memory” of the dock. */
export function MemoryPanel({ sessionId }: { sessionId: string }) {
  const [scope, setScope] = useState<MemoryScope>('raw');
  const [text, setText] = useState('');
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const trpc = useTRPC();
  usePlaceRequest('memory', (words) => {
    setScope('raw');
    setText(words);
    setQuery(words);
  });
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...trpc.memory.search.queryOptions({ sessionId, scope, query: query.trim(), limit: LIMIT }),
    placeholderData: keepPreviousData,
    // What left the context since is found as well.
    staleTime: 0,
  });
  const items = useDeferredValue(data?.items);
  const chosen = scopes.find((one) => one.scope === scope);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="space-y-2 border-line border-b px-4 pb-3">
        <div className="flex h-9 items-center gap-2 rounded-control border border-line-strong bg-raised px-2.5 focus-within:border-accent">
          <Search size={15} aria-hidden className="shrink-0 text-faint" />
          <input
            ref={field}
            type="search"
            aria-label="Search memory"
            placeholder="Search as the agent would"
            dir="auto"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || text === '') return;
              // The first Esc empties the field; the dock takes the next one.
              event.preventDefault();
              setText('');
            }}
            className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint"
          />
        </div>
        <fieldset className="flex gap-1">
          <legend className="sr-only">Where to search</legend>
          {scopes.map(({ scope: value, name, hint }) => (
            <label
              key={value}
              title={hint}
              className={cx(
                'cursor-pointer rounded-control px-2 py-1 text-meta has-focus-visible:outline-2 has-focus-visible:outline-accent',
                value === scope ? 'bg-selected text-text' : 'text-muted hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name="memory-scope"
                value={value}
                checked={value === scope}
                onChange={() => setScope(value)}
                className="sr-only"
              />
              {name}
            </label>
          ))}
        </fieldset>
      </div>
      <div className={cx('min-h-0 flex-1 overflow-y-auto', isPlaceholderData && 'opacity-60')}>
        {error !== null && (
          <div className="flex items-center gap-3 px-4 py-3 text-meta text-muted">
            {wordsForError(error)}
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
        <p role="status" className="px-4 py-2 text-faint text-small empty:hidden">
          {items === undefined ? '' : headline(items.length, query.trim(), chosen?.empty ?? '')}
        </p>
        {items !== undefined && items.length > 0 && (
          <ol aria-label="Found in memory" className="divide-y divide-line">
            {items.map((hit) => (
              <MemoryResult
                key={`${hit.sessionId}-${hit.firstSequence}-${hit.lastSequence}-${hit.section}-${hit.text.length}`}
                hit={hit}
                sessionId={sessionId}
                query={query}
              />
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}

function headline(count: number, query: string, empty: string): string {
  if (count === 0) return query === '' ? empty : `Nothing found for “${query}”. Other words may help.`;
  return query === '' ? 'Newest first' : count === 1 ? '1 passage, best first' : `${count} passages, best first`;
}
