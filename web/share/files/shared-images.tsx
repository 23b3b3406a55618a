import { useMemo } from 'react';
import { useStage } from '../../features/files/stage/stage-provider';
import { cx } from '../../lib/class-names';
import { useShareClient } from '../share-context';
import type { ShownFiles } from '../to-rows';
import { sharedFile } from './shared-file';
import { SharedImage } from './shared-image';

/** The pictures of a message, which a share shows. */
export function SharedImages({ images: named, className }: Pick<ShownFiles, 'images'> & { className: string }) {
  const client = useShareClient();
  const open = useStage();
  const images = useMemo(() => (named ?? []).flatMap((image) => sharedFile(client, image) ?? []), [client, named]);
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className={cx('flex flex-wrap gap-1.5', className)}>
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a message never changes.
        <li key={index} className="max-w-full">
          <SharedImage image={image} isAlone={images.length === 1} onOpen={() => open(images, index)} />
        </li>
      ))}
    </ul>
  );
}
