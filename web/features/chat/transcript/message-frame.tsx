import type { ReactNode } from 'react';
import { cx } from '../../../lib/class-names';

interface MessageFrameProps {
  isInContext: boolean;
  className?: string;
  /** An answer: hovering it shows the foot below. */
  isAnswer?: boolean;
  children: ReactNode;
}

/** The 760 px column with the context rail at its left: solid where the model still reads, faint where it does not. */
export function MessageFrame({ isInContext, className, isAnswer = false, children }: MessageFrameProps) {
  return (
    <div
      data-answer={isAnswer || undefined}
      className={cx('group/message relative mx-auto w-full max-w-[808px] px-5 sm:px-6', className)}
    >
      {/* Only what is no longer read is worth saying aloud. */}
      {!isInContext && <span className="sr-only">Not in the model’s context any more. </span>}
      <span
        aria-hidden
        title={isInContext ? 'In the model’s context' : 'Not in the model’s context any more'}
        className={cx(
          'absolute inset-y-0 left-1.5 w-[3px] sm:left-1',
          isInContext
            ? 'bg-[color-mix(in_oklab,var(--accent)_26%,transparent)]'
            : 'bg-[color-mix(in_oklab,var(--line)_60%,transparent)]',
        )}
      />
      {children}
    </div>
  );
}
