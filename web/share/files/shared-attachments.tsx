import { FileName } from '../../components/file-name';
import { kinds } from '../../features/files/kinds';
import { formatBytes } from '../../lib/format';
import type { ShownFiles } from '../to-rows';
import { SharedImages } from './shared-images';

/** What a person sent with a message: images, which a share shows, and files, which it only names. */
export function SharedAttachments({ files }: { files: ShownFiles }) {
  return (
    <>
      <SharedImages images={files.images} className="justify-end" />
      {files.files !== null && files.files.length > 0 && (
        <ul aria-label="Files" className="flex max-w-full flex-wrap justify-end gap-1.5">
          {files.files.map(({ name, kind, sizeBytes }, index) => {
            const Icon = kinds[kind].icon;
            return (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: the list of a message never changes.
                key={index}
                title="Files that were sent are not part of the share"
                className="flex min-w-0 max-w-full items-center gap-2 rounded-control border border-line px-2.5 py-1 text-meta text-muted"
              >
                <Icon size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-faint" />
                <FileName name={name} />
                <span className="tabular shrink-0 text-faint text-small">{formatBytes(sizeBytes)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
