import { ImageOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { FileName } from '../../components/file-name';
import type { ViewedFile } from '../../features/files/viewed-file';
import { makeUrl, revokeUrl, useFile } from '../../features/files/viewers/use-file';
import { visibleName } from '../../lib/file-names';
import { useInView } from '../../lib/use-in-view';

interface SharedImageProps {
  image: ViewedFile;
  onOpen(): void;
}

/** A picture of fixed height, so that nothing moves when it comes; a click shows it whole. */
export function SharedImage({ image, onOpen }: SharedImageProps) {
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
      className="flex h-44 min-w-24 max-w-full items-center justify-center overflow-hidden rounded-card border border-line bg-sunken hover:border-line-strong"
    >
      {loaded.state === 'ready' && (
        <img
          src={loaded.value}
          alt={visibleName(image.name)}
          onError={() => setIsBroken(true)}
          className="h-full w-auto max-w-full object-contain"
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
