/** Files over the whole window, one at a time: the lightbox of images and the full view of everything else. */
import { ChevronLeft, ChevronRight, Maximize, Minimize, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../components/button';
import { FileName } from '../../../components/file-name';
import { visibleName } from '../../../lib/file-names';
import { formatBytes } from '../../../lib/format';
import { DownloadLink } from '../download';
import { kinds } from '../kinds';
import type { ViewedFile } from '../viewed-file';
import { Viewer } from '../viewers/viewer';

export interface StageProps {
  files: readonly ViewedFile[];
  /** The one that is shown first. */
  start: number;
  onClose(): void;
}

/** Arrows walk through the files, Esc closes; the focus goes back to where it was. */
export default function Stage({ files, start, onClose }: StageProps) {
  const [index, setIndex] = useState(start);
  const content = useRef<HTMLDivElement>(null);
  const opener = useRef(document.activeElement);
  const file = files[Math.min(index, files.length - 1)];
  if (file === undefined) return null;
  const go = (by: number) => setIndex((now) => Math.min(files.length - 1, Math.max(0, now + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (takesArrows(event.target) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowLeft') go(-1);
    else if (event.key === 'ArrowRight') go(1);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-50 bg-bg" />
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
          }}
          className="fade-in fixed inset-0 z-50 flex flex-col bg-bg outline-none"
        >
          <StageHeader file={file} index={index} count={files.length} onGo={go} stage={content} />
          <div className="relative min-h-0 flex-1">
            <Viewer key={file.id} file={file} isStage />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Players, and what can be scrolled to the side. */
function takesArrows(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false;
  const scroller = target.closest('[tabindex="0"]');
  return target.closest('audio, video') !== null || (scroller !== null && scroller.scrollWidth > scroller.clientWidth);
}

interface StageHeaderProps {
  file: ViewedFile;
  index: number;
  count: number;
  onGo(by: number): void;
  stage: React.RefObject<HTMLElement | null>;
}

function StageHeader({ file, index, count, onGo, stage }: StageHeaderProps) {
  const Icon = kinds[file.kind].icon;
  return (
    <header className="flex h-13 shrink-0 items-center gap-2.5 border-line border-b px-3 sm:px-4">
      <Icon size={17} strokeWidth={1.6} aria-hidden className="shrink-0 text-faint" />
      <Dialog.Title aria-label={visibleName(file.name)} className="min-w-0 font-medium text-sm">
        <FileName name={file.name} />
      </Dialog.Title>
      <span className="tabular hidden shrink-0 text-faint text-small sm:inline">
        {kinds[file.kind].name} · {formatBytes(file.sizeBytes)}
      </span>
      <span className="flex-1" />
      {count > 1 && (
        <span className="flex shrink-0 items-center">
          <IconButton label="Previous file" disabled={index === 0} onClick={() => onGo(-1)}>
            <ChevronLeft size={18} strokeWidth={1.75} />
          </IconButton>
          <span className="tabular text-muted text-small">
            {index + 1} / {count}
          </span>
          <IconButton label="Next file" disabled={index === count - 1} onClick={() => onGo(1)}>
            <ChevronRight size={18} strokeWidth={1.75} />
          </IconButton>
        </span>
      )}
      <DownloadLink file={file} />
      <FullScreenButton target={stage} />
      <Dialog.Close asChild>
        <IconButton label="Close">
          <X size={18} strokeWidth={1.75} />
        </IconButton>
      </Dialog.Close>
    </header>
  );
}

function FullScreenButton({ target }: { target: React.RefObject<HTMLElement | null> }) {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    const onChange = () => setIsFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
  // Phones have it for videos only, and their page fills the screen anyway.
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (isFull ? document.exitFullscreen() : target.current?.requestFullscreen());
  return (
    <IconButton
      label={isFull ? 'Leave full screen' : 'Full screen'}
      onClick={() => void Promise.resolve(toggle()).catch(() => undefined)}
      className="max-sm:hidden"
    >
      {isFull ? <Minimize size={16} strokeWidth={1.75} /> : <Maximize size={16} strokeWidth={1.75} />}
    </IconButton>
  );
}
