import { Paperclip } from 'lucide-react';
import { createPortal } from 'react-dom';

/** Over the chat while files are held above it. */
export function DropLook() {
  const pane = document.getElementById('main');
  if (pane === null) return null;
  return createPortal(
    <div className="fade-in pointer-events-none absolute inset-0 z-40 bg-[color-mix(in_oklab,var(--bg)_82%,transparent)] p-3">
      <div className="flex h-full flex-col items-center justify-center gap-2 rounded-[14px] border-2 border-accent border-dashed bg-[color-mix(in_oklab,var(--accent)_7%,transparent)] text-center">
        <Paperclip size={26} strokeWidth={1.5} aria-hidden className="text-accent" />
        <p className="font-medium text-read">Drop to attach</p>
        <p className="text-meta text-muted">They go with your next message.</p>
      </div>
    </div>,
    pane,
  );
}
