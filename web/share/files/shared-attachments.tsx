import { useMemo } from 'react';
import { FileName } from '../../components/file-name';
import { kinds } from '../../features/files/kinds';
import { useStage } from '../../features/files/stage/stage-provider';
import { formatBytes } from '../../lib/format';
import { useShareClient } from '../share-context';
import type { ShownFiles } from '../to-rows';
import { sharedFile } from './shared-file';
import { SharedImage } from './shared-image';

/** What a person sent with a message: images, which a share shows, and files, which it only names. */
export function SharedAttachments({ files }: { files: ShownFiles }) {
  const client = useShareClient();
  const open = useStage();
  const images = useMemo(
    () => (files.images ?? []).flatMap((image) => sharedFile(client, image) ?? []),
    [client, files.images],
  );
  return (
    <>
      {images.length > 0 && (
        <ul aria-label="Images" className="flex flex-wrap justify-end gap-1.5">
          {images.map((image, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a message never changes.
            <li key={index} className="max-w-full">
              <SharedImage image={image} isAlone={images.length === 1} onOpen={() => open(images, index)} />
            </li>
          ))}
        </ul>
      )}
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
