import type { ReactNode } from 'react';
import { cx } from '../../../lib/class-names';
import { Rail } from './rail';

interface MessageFrameProps {
  isInContext: boolean;
  className?: string;
  /** An answer: hovering it shows the foot below. */
  isAnswer?: boolean;
  children: ReactNode;
}

/** The 760 px column with the context rail at its left: see `rail.tsx`. */
export function MessageFrame({ isInContext, className, isAnswer = false, children }: MessageFrameProps) {
  return (
    <div
      data-answer={isAnswer || undefined}
      className={cx('group/message relative mx-auto w-full max-w-[808px] px-5 sm:px-6', className)}
    >
      <Rail isInContext={isInContext} />
      {children}
    </div>
  );
}
