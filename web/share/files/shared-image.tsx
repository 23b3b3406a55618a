import { ImageOff } from 'lucide-react';
import { useRef, useState } from 'react';
import type { SharedFile } from '../../../server/domains/shares/schema';
import { Modal } from '../../components/modal';
import { useInView } from '../../lib/use-in-view';
import { useSharedFile } from './use-shared-file';

/** A picture of fixed height, so that nothing moves when it comes; a click shows it whole. */
export function SharedImage({ image }: { image: SharedFile }) {
  const frame = useRef<HTMLButtonElement>(null);
  const isNear = useInView(frame);
  const file = useSharedFile(image.id, isNear);
  const [isOpen, setIsOpen] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  const isGone = image.id === null || file.kind === 'failed' || isBroken;
  if (isGone) {
    return (
      <p
        title="This picture is not there any more"
        className="flex min-w-0 items-center gap-2 rounded-control border border-line px-2.5 py-1 text-faint text-meta"
      >
        <ImageOff size={14} strokeWidth={1.75} aria-hidden className="shrink-0" />
        <span dir="auto" className="truncate">
          {image.name}
        </span>
      </p>
    );
  }
  return (
    <>
      <button
        ref={frame}
        type="button"
        aria-label={`Show ${image.name}`}
        title={image.name}
        disabled={file.kind !== 'here'}
        onClick={() => setIsOpen(true)}
        className="flex h-44 min-w-24 max-w-full items-center justify-center overflow-hidden rounded-card border border-line bg-sunken"
      >
        {file.kind === 'here' && (
          <img
            src={file.url}
            alt={image.name}
            onError={() => setIsBroken(true)}
            className="h-full w-auto max-w-full object-contain"
          />
        )}
      </button>
      {file.kind === 'here' && (
        <Modal
          isOpen={isOpen}
          onClose={() => setIsOpen(false)}
          label={image.name}
          className="m-auto max-h-[96dvh] max-w-[96vw] overflow-visible bg-transparent p-0"
        >
          <button type="button" aria-label="Close" onClick={() => setIsOpen(false)} className="block cursor-zoom-out">
            <img src={file.url} alt={image.name} className="max-h-[96dvh] max-w-[96vw] rounded-card object-contain" />
          </button>
        </Modal>
      )}
    </>
  );
}
