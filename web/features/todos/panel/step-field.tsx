import { useRef, useState } from 'react';
import { isComposing } from '../../../lib/is-composing';

/** As the server has it (`MAX_STEP_CHARS`), in characters. */
export const MAX_STEP_CHARS = 2_000;

interface StepFieldProps {
  label: string;
  /** The text as it is in the plan now. */
  current: string;
  /** What the person had written before, when their text was not taken. */
  draft: string | null;
  notice: string | null;
  onSave(text: string): void;
  onWrite(text: string): void;
  onClose(): void;
}

/**
 * Edits in place: Enter or leaving saves, Esc keeps the old text. When somebody else changed it meanwhile, the first Enter
 * only shows theirs; nothing is written over what was not seen.
 */
export function StepField({ label, current, draft, notice, onSave, onWrite, onClose }: StepFieldProps) {
  const [seen, setSeen] = useState(current);
  const [told, setTold] = useState(notice);
  const isClosed = useRef(false);
  const save = (text: string) => {
    if (isClosed.current) return;
    const next = text.trim();
    if (next !== current && current !== seen) {
      setSeen(current);
      setTold(`Meanwhile it was changed to “${current}”. Enter saves yours, Esc keeps theirs.`);
      return;
    }
    isClosed.current = true;
    if (next === current) onClose();
    else onSave(next);
  };
  return (
    <div>
      <textarea
        aria-label={label}
        dir="auto"
        rows={1}
        maxLength={MAX_STEP_CHARS}
        defaultValue={draft ?? current}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit.
        autoFocus
        onFocus={(event) => draft === null && event.currentTarget.select()}
        onChange={(event) => onWrite(event.currentTarget.value)}
        onBlur={(event) => save(event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (isComposing(event)) return;
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            save(event.currentTarget.value);
          }
          if (event.key === 'Escape') {
            event.preventDefault();
            isClosed.current = true;
            onClose();
          }
        }}
        className="field-sizing-content -ms-1.5 block max-h-60 w-[calc(100%+0.375rem)] resize-none rounded-control border border-accent bg-raised px-1.5 py-[3px] text-meta outline-none"
      />
      {told !== null && (
        <p role="status" dir="auto" className="mt-1 text-small text-warning [overflow-wrap:anywhere]">
          {told}
        </p>
      )}
    </div>
  );
}
