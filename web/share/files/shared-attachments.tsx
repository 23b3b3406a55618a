import { FileText } from 'lucide-react';
import { formatBytes } from '../../lib/format';
import type { ShownFiles } from '../to-rows';
import { SharedImage } from './shared-image';

/** What a person sent with a message: images, which a share shows, and files, which it only names. */
export function SharedAttachments({ files }: { files: ShownFiles }) {
  const { images, files: others } = files;
  return (
    <>
      {images !== null && images.length > 0 && (
        <ul aria-label="Images" className="flex flex-wrap justify-end gap-1.5">
          {images.map((image, index) => (
            <li key={image.id ?? index}>
              <SharedImage image={image} />
            </li>
          ))}
        </ul>
      )}
      {others !== null && others.length > 0 && (
        <ul aria-label="Files" className="flex max-w-full flex-wrap justify-end gap-1.5">
          {others.map((file, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of a message never changes.
              key={index}
              title="Files that were sent are not part of the share"
              className="flex min-w-0 max-w-full items-center gap-2 rounded-control border border-line px-2.5 py-1 text-meta text-muted"
            >
              <FileText size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-faint" />
              <span dir="auto" className="truncate">
                {file.name}
              </span>
              <span className="tabular shrink-0 text-faint text-small">{formatBytes(file.sizeBytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
