import { useRef } from 'react';
import { cx } from '../../lib/class-names';
import { isComposing } from '../../lib/is-composing';

interface NameFieldProps {
  name: string;
  onSave(name: string): void;
  onClose(isByKey: boolean): void;
  className?: string;
}

/** Renames in place: Enter or leaving saves, Esc keeps the old name. */
export function NameField({ name, onSave, onClose, className }: NameFieldProps) {
  const isClosed = useRef(false);
  const close = (value: string | null, isByKey: boolean) => {
    if (isClosed.current) return;
    isClosed.current = true;
    const next = value?.trim() ?? '';
    if (next !== '' && next !== name) onSave(next);
    onClose(isByKey);
  };
  return (
    <input
      aria-label="Name of the chat"
      defaultValue={name}
      maxLength={200}
      dir="auto"
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to rename.
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => close(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isComposing(event)) return;
        if (event.key === 'Enter') close(event.currentTarget.value, true);
        if (event.key === 'Escape') close(null, true);
      }}
      className={cx(
        'min-w-0 flex-1 rounded-control border border-accent bg-raised px-2 text-text outline-none',
        className,
      )}
    />
  );
}
