import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '../lib/class-names';

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;

export function PopoverContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={6}
        collisionPadding={8}
        className={cx(
          'pop-in z-50 max-w-[calc(100vw-16px)] rounded-card border border-line bg-raised p-4 shadow-pop outline-none',
          className,
        )}
        {...rest}
      />
    </Radix.Portal>
  );
}
