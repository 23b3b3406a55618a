import { useQuery } from '@tanstack/react-query';
import { FileName } from '../../../components/file-name';
import { plural } from '../../../lib/format';
import { useTRPC } from '../../../lib/trpc';
import { kinds } from '../kinds';

interface QueuedFilesProps {
  sessionId: string;
  fileIds: readonly string[];
}

/** What goes with a message that still waits. */
export default function QueuedFiles({ sessionId, fileIds }: QueuedFilesProps) {
  const { data } = useQuery(useTRPC().files.list.queryOptions({ sessionId }));
  const files = fileIds.map((id) => data?.items.find((file) => file.id === id));
  if (files.includes(undefined)) {
    return <span className="text-faint text-small">with {plural(fileIds.length, 'file')}</span>;
  }
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-x-3 gap-y-0.5">
      {files.map((file) => {
        if (file === undefined) return null;
        const Icon = kinds[file.kind].icon;
        return (
          <li key={file.id} className="flex min-w-0 items-center gap-1 text-muted text-small">
            <Icon size={13} strokeWidth={1.6} aria-hidden className="shrink-0 text-faint" />
            <FileName name={file.name} />
          </li>
        );
      })}
    </ul>
  );
}
