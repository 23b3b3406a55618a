import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/button';
import { Modal } from '../../components/modal';

interface DialogFrameProps {
  title: string;
  /** The chat that it is about. */
  subject?: string;
  onClose(): void;
  children: ReactNode;
}

export function DialogFrame({ title, subject, onClose, children }: DialogFrameProps) {
  return (
    <Modal
      isOpen
      onClose={onClose}
      label={title}
      className="pop-in m-auto max-h-[calc(100dvh-24px)] w-[min(34rem,calc(100vw-24px))] overflow-y-auto rounded-card border border-line p-0 shadow-pop"
    >
      <div className="px-5 pt-4 pb-5">
        <div className="mb-3 flex items-start justify-between gap-3">
          <div className="min-w-0 pt-1">
            <h2 className="font-semibold text-read">{title}</h2>
            {subject !== undefined && (
              <p dir="auto" title={subject} className="truncate text-meta text-muted">
                {subject}
              </p>
            )}
          </div>
          <IconButton label="Close" onClick={onClose}>
            <X size={17} />
          </IconButton>
        </div>
        {children}
      </div>
    </Modal>
  );
}
