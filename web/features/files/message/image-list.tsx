import { useState } from 'react';
import { cx } from '../../../lib/class-names';
import { visibleName } from '../../../lib/file-names';
import { kinds } from '../kinds';
import { useStage } from '../stage/stage-provider';
import type { ViewedFile } from '../viewed-file';

/** Pictures as thumbnails of a fixed size, so that nothing moves when they come; a click opens them over the whole window. */
export function ImageList({ images, className }: { images: readonly ViewedFile[]; className: string }) {
  const open = useStage();
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className={cx('flex flex-wrap gap-1.5', className)}>
      {images.map((image, index) => (
        <li key={image.id}>
          <Thumbnail image={image} isAlone={images.length === 1} onOpen={() => open(images, index)} />
        </li>
      ))}
    </ul>
  );
}

interface ThumbnailProps {
  image: ViewedFile;
  isAlone: boolean;
  onOpen(): void;
}

function Thumbnail({ image, isAlone, onOpen }: ThumbnailProps) {
  const [hasFailed, setHasFailed] = useState(false);
  const Icon = kinds.image.icon;
  return (
    <button
      type="button"
      aria-label={`Open ${visibleName(image.name)}`}
      title={visibleName(image.name)}
      onClick={onOpen}
      className={cx(
        'block overflow-hidden rounded-card border border-line bg-sunken transition-[border-color] duration-150 hover:border-line-strong',
        isAlone ? 'h-44 w-60' : 'size-28',
      )}
    >
      {hasFailed || image.thumbnailUrl === null ? (
        <span className="flex h-full flex-col items-center justify-center gap-1.5 px-2 text-faint text-small">
          <Icon size={20} strokeWidth={1.4} aria-hidden />
          <span className="line-clamp-2 [overflow-wrap:anywhere]">{visibleName(image.name)}</span>
        </span>
      ) : (
        <img
          src={image.thumbnailUrl}
          alt=""
          decoding="async"
          onError={() => setHasFailed(true)}
          className="h-full w-full object-cover"
        />
      )}
    </button>
  );
}
