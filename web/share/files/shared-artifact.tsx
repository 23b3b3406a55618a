import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import type { SharedMessage } from '../../../server/domains/shares/schema';
import { IconButton } from '../../components/button';
import { formatBytes } from '../../lib/format';
import { useShareClient } from '../share-context';

/** A file that the agent made: what it is, and its bytes where the share shows it. */
export function SharedArtifact({ artifact }: { artifact: NonNullable<SharedMessage['artifact']> }) {
  const client = useShareClient();
  const [isFailed, setIsFailed] = useState(false);
  const { id, name, title, sizeBytes } = artifact;
  const save = async (fileId: string) => {
    try {
      const url = URL.createObjectURL(await client.file(fileId));
      Object.assign(document.createElement('a'), { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch {
      setIsFailed(true);
    }
  };
  return (
    <article
      aria-label={`File ${name}`}
      className="flex items-center gap-3 rounded-card border border-line bg-raised px-3 py-2"
    >
      <FileText size={17} strokeWidth={1.6} aria-hidden className="shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium text-sm">
          {title ?? name}
        </p>
        <p className="tabular truncate text-faint text-small">
          {title === null ? '' : `${name} · `}
          {isFailed ? 'is not there any more' : formatBytes(sizeBytes)}
        </p>
      </div>
      {id !== null && (
        <IconButton className="no-print" label={`Download ${name}`} onClick={() => void save(id)}>
          <Download size={16} strokeWidth={1.75} />
        </IconButton>
      )}
    </article>
  );
}
