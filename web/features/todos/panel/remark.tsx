import { useState } from 'react';
import { cx } from '../../../lib/class-names';

interface RemarkProps {
  /** `Checked`, `Note`. */
  name: string;
  text: string;
  isFailure?: boolean;
}

/** How a step was verified, or its note: a quiet line of two, readable in full by a click. */
export function Remark({ name, text, isFailure = false }: RemarkProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      tabIndex={-1}
      data-step-part
      className={cx(
        'mt-0.5 block w-full select-text rounded-[3px] text-start text-small',
        isFailure ? 'text-failed' : 'text-faint',
      )}
    >
      <span
        dir="auto"
        className={cx('whitespace-pre-wrap [overflow-wrap:anywhere]', isOpen ? 'block' : 'line-clamp-2')}
      >
        <span className="font-medium">{name}:</span> {text}
      </span>
    </button>
  );
}
