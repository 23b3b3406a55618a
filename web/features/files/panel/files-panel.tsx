import { useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { FileEntry } from '../../../../server/domains/files/schema';
import { Button } from '../../../components/button';
import { Spinner } from '../../../components/spinner';
import { cx } from '../../../lib/class-names';
import { wordsForError } from '../../../lib/error-words';
import { formatBytes, plural } from '../../../lib/format';
import { useTRPC } from '../../../lib/trpc';
import { useStored } from '../../../lib/use-stored';
import { useStage } from '../stage/stage-provider';
import { sessionFile } from '../viewed-file';
import { FileRow } from './file-row';

const filters = ['all', 'artifacts', 'uploads', 'images'] as const;
type Filter = (typeof filters)[number];

const facts: Record<Filter, { name: string; has(file: FileEntry): boolean; empty: string }> = {
  all: {
    name: 'All',
    has: () => true,
    empty: 'Nothing here yet. Drop files on the chat, paste an image, or ask for something to be made.',
  },
  artifacts: {
    name: 'Artifacts',
    has: (file) => file.isPublished,
    empty: 'No artifacts yet. What the agent publishes appears here, and any file that you publish yourself.',
  },
  uploads: { name: 'Uploads', has: (file) => file.origin === 'upload', empty: 'Nothing was uploaded to this chat.' },
  images: { name: 'Images', has: (file) => file.kind === 'image', empty: 'There are no images in this chat.' },
};

/** Every file of a chat: the tab “Files” of the dock. */
export function FilesPanel({ sessionId }: { sessionId: string }) {
  const [filter, setFilter] = useStored<Filter>('files-filter', filters, 'all');
  const { data, error, refetch } = useQuery(useTRPC().files.list.queryOptions({ sessionId }));
  const open = useStage();
  const entries = useMemo(() => data?.items.filter(facts[filter].has), [data, filter]);
  const viewed = useMemo(() => entries?.map((entry) => sessionFile(sessionId, entry)), [entries, sessionId]);
  const count = (which: Filter) => data?.items.filter(facts[which].has).length ?? 0;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <fieldset className="flex gap-0.5 overflow-x-auto border-line border-b px-2.5 pb-2.5">
        <legend className="sr-only">Which files</legend>
        {filters.map((value) => (
          <label
            key={value}
            className={cx(
              'flex shrink-0 cursor-pointer items-center gap-1 rounded-control px-1.5 py-1 text-meta has-focus-visible:outline-2 has-focus-visible:outline-accent',
              value === filter ? 'bg-selected text-text' : 'text-muted hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name="files-filter"
              value={value}
              checked={value === filter}
              onChange={() => setFilter(value)}
              className="sr-only"
            />
            {facts[value].name}
            {count(value) > 0 && <span className="tabular text-faint text-small">{count(value)}</span>}
          </label>
        ))}
      </fieldset>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error !== null && data === undefined && (
          <Note>
            {wordsForError(error)}
            <Button onClick={() => void refetch()}>Try again</Button>
          </Note>
        )}
        {error === null && data === undefined && (
          <Note>
            <Spinner />
          </Note>
        )}
        {entries?.length === 0 && (
          <Note>
            <Files size={24} strokeWidth={1.25} aria-hidden />
            {facts[filter].empty}
          </Note>
        )}
        {entries !== undefined && viewed !== undefined && entries.length > 0 && (
          <ul aria-label="Files of this chat" className="divide-y divide-line">
            {entries.map((entry, index) => {
              const file = viewed[index];
              if (file === undefined) return null;
              const onOpen = () => open(viewed, index);
              return <FileRow key={entry.id} entry={entry} file={file} sessionId={sessionId} onOpen={onOpen} />;
            })}
          </ul>
        )}
      </div>
      {data !== undefined && data.items.length > 0 && (
        <p className="tabular border-line border-t px-4 py-2 text-faint text-small">
          {plural(data.items.length, 'file')} · {formatBytes(data.items.reduce((sum, file) => sum + file.sizeBytes, 0))}
        </p>
      )}
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-8 py-12 text-balance text-center text-faint text-meta">
      {children}
    </div>
  );
}
