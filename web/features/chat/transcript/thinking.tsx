import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../../lib/class-names';
import { formatWholeSeconds } from '../../../lib/format';

interface ThinkingProps {
  thinking: string;
  /** Null while it goes on, and for old messages. */
  thinkingMs: number | null;
  isLive: boolean;
}

/** One line that opens to the model's reasoning. */
export function Thinking({ thinking, thinkingMs, isLive }: ThinkingProps) {
  const [isOpen, setIsOpen] = useState(false);
  const label = isLive ? 'Thinking' : thinkingMs === null ? 'Thought' : `Thought for ${formatWholeSeconds(thinkingMs)}`;
  return (
    <div className="py-0.5">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-7 max-w-full items-center gap-1 rounded-control text-meta text-faint hover:text-text"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={cx('shrink-0 transition-transform duration-150', isOpen && 'rotate-90')}
        />
        <span className={cx(isLive && 'breathe')}>{label}</span>
      </button>
      {isOpen && (
        <div
          dir="auto"
          className="mt-1 mb-2 ml-[7px] max-h-96 overflow-y-auto whitespace-pre-wrap border-line border-l pl-4 text-meta text-muted [overflow-wrap:anywhere]"
        >
          {thinking.trim()}
        </div>
      )}
    </div>
  );
}
