/** A drop-down menu: Radix for behaviour, tokens for looks. */
import { ChevronRight } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../lib/class-names';

export const Menu = DropdownMenu.Root;
export const MenuTrigger = DropdownMenu.Trigger;
export const MenuRadioGroup = DropdownMenu.RadioGroup;
export const MenuSub = DropdownMenu.Sub;

const surface = 'pop-in z-50 rounded-card border border-line bg-raised p-1 shadow-pop';

export function MenuContent({ className, ...rest }: ComponentProps<typeof DropdownMenu.Content>) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        sideOffset={4}
        collisionPadding={8}
        className={cx(
          surface,
          'max-h-[min(26rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 max-w-[calc(100vw-16px)] overflow-y-auto',
          className,
        )}
        {...rest}
      />
    </DropdownMenu.Portal>
  );
}

const itemLook =
  'flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 py-1 text-meta outline-none data-[highlighted]:bg-hover data-[disabled]:cursor-default data-[disabled]:opacity-50';

interface MenuItemProps extends ComponentProps<typeof DropdownMenu.Item> {
  icon?: ReactNode;
  shortcut?: string;
  isDanger?: boolean;
}

export function MenuItem({ icon, shortcut, isDanger = false, className, children, ...rest }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={cx(itemLook, isDanger && 'text-failed', className)} {...rest}>
      {icon !== undefined && (
        <span className={cx('inline-flex', isDanger ? 'text-failed' : 'text-faint')} aria-hidden>
          {icon}
        </span>
      )}
      <span className="flex-1">{children}</span>
      {shortcut !== undefined && <kbd className="font-sans text-small text-faint">{shortcut}</kbd>}
    </DropdownMenu.Item>
  );
}

/** A line that opens a menu beside it. */
export function MenuSubTrigger({ icon, children, ...rest }: Pick<MenuItemProps, 'icon' | 'children'>) {
  return (
    <DropdownMenu.SubTrigger className={cx(itemLook, 'data-[state=open]:bg-hover')} {...rest}>
      {icon !== undefined && (
        <span className="inline-flex text-faint" aria-hidden>
          {icon}
        </span>
      )}
      <span className="flex-1">{children}</span>
      <ChevronRight size={14} aria-hidden className="text-faint" />
    </DropdownMenu.SubTrigger>
  );
}

export function MenuSubContent({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.SubContent sideOffset={2} collisionPadding={8} className={cx(surface, 'min-w-36')}>
        {children}
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  );
}

export function MenuRadioItem({ className, children, ...rest }: ComponentProps<typeof DropdownMenu.RadioItem>) {
  return (
    <DropdownMenu.RadioItem className={cx(itemLook, 'group/radio', className)} {...rest}>
      <span
        aria-hidden
        className="size-1.5 shrink-0 rounded-full bg-transparent group-data-[state=checked]/radio:bg-accent"
      />
      {children}
    </DropdownMenu.RadioItem>
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof DropdownMenu.Label>) {
  return <DropdownMenu.Label className={cx('px-2 pt-2 pb-1 text-small text-faint', className)} {...rest} />;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}
