import { ImageOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { FileName } from '../../components/file-name';
import type { ViewedFile } from '../../features/files/viewed-file';
import { makeUrl, revokeUrl, useFile } from '../../features/files/viewers/use-file';
import { cx } from '../../lib/class-names';
import { visibleName } from '../../lib/file-names';
import { useInView } from '../../lib/use-in-view';

interface SharedImageProps {
  image: ViewedFile;
  isAlone: boolean;
  onOpen(): void;
}

/** A picture in a frame of fixed size, as in the owner's chat: nothing moves when it comes. A click shows it whole. */
export function SharedImage({ image, isAlone, onOpen }: SharedImageProps) {
  const frame = useRef<HTMLButtonElement>(null);
  const isNear = useInView(frame);
  const loaded = useFile(isNear ? image : null, makeUrl, revokeUrl);
  const [isBroken, setIsBroken] = useState(false);
  if (loaded.state === 'failed' || isBroken) return <MissingImage name={image.name} />;
  return (
    <button
      ref={frame}
      type="button"
      aria-label={`Open ${visibleName(image.name)}`}
      title={visibleName(image.name)}
      onClick={onOpen}
      className={cx(
        'block max-w-full overflow-hidden rounded-card border border-line bg-sunken hover:border-line-strong',
        isAlone ? 'h-44 w-60' : 'size-28',
      )}
    >
      {loaded.state === 'ready' && (
        <img
          src={loaded.value}
          alt={visibleName(image.name)}
          onError={() => setIsBroken(true)}
          className="h-full w-full object-cover"
        />
      )}
    </button>
  );
}

function MissingImage({ name }: { name: string }) {
  return (
    <p
      title="This picture is not there any more"
      className="flex min-w-0 items-center gap-2 rounded-control border border-line px-2.5 py-1 text-faint text-meta"
    >
      <ImageOff size={14} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <FileName name={name} />
    </p>
  );
}
