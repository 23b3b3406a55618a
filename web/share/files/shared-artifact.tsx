import { useMemo } from 'react';
import type { SharedMessage } from '../../../server/domains/shares/schema';
import { FileName } from '../../components/file-name';
import ArtifactCard from '../../features/files/card/artifact-card';
import { kinds } from '../../features/files/kinds';
import { visibleName } from '../../lib/file-names';
import { formatBytes } from '../../lib/format';
import { useShareClient } from '../share-context';
import { sharedFile } from './shared-file';

/** Media come whole, as no element can ask with a token: larger ones are only saved, in bytes. */
const MAX_PLAYED_BYTES = 50 * 1024 * 1024;

/** A file that the agent made: in the viewer of its kind where the share gives its bytes, by name where it does not. */
export function SharedArtifact({ artifact }: { artifact: NonNullable<SharedMessage['artifact']> }) {
  const client = useShareClient();
  const file = useMemo(() => sharedFile(client, artifact), [client, artifact]);
  const { kind, name, sizeBytes, title } = artifact;
  if (file !== null) {
    const isTooLong = (kind === 'video' || kind === 'audio') && sizeBytes > MAX_PLAYED_BYTES;
    return <ArtifactCard file={isTooLong ? { ...file, kind: 'other' } : file} mode="published" title={title} />;
  }
  const { icon: Icon, name: kindName } = kinds[kind];
  return (
    <article
      aria-label={`File ${visibleName(name)}`}
      title="This file is not part of the share"
      className="flex items-center gap-3 rounded-card border border-line px-3 py-2"
    >
      <Icon size={17} strokeWidth={1.6} aria-hidden className="shrink-0 text-faint" />
      <div className="min-w-0">
        {title === null ? (
          <FileName name={name} className="text-sm" />
        ) : (
          <p dir="auto" className="truncate text-sm">
            {title}
          </p>
        )}
        <p className="tabular flex min-w-0 flex-wrap text-faint text-small">
          {title !== null && <FileName name={name} />}
          <span className="whitespace-pre-wrap">
            {title !== null && ' · '}
            {kindName} · {formatBytes(sizeBytes)} · not part of the share
          </span>
        </p>
      </div>
    </article>
  );
}
