import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../lib/class-names';

interface ModalProps {
  isOpen: boolean;
  onClose(): void;
  label: string;
  className?: string;
  children: ReactNode;
}

/** The browser's own modal dialog: traps focus, closes with Esc or a click beside it, gives the focus back. */
export function Modal({ isOpen, onClose, label, className, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the dialog's own; the click is for the backdrop.
    <dialog
      ref={ref}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={cx('bg-raised text-text backdrop:bg-scrim', className)}
    >
      {isOpen && children}
    </dialog>
  );
}
