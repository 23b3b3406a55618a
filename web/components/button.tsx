import type { ComponentProps } from 'react';
import { cx } from '../lib/class-names';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  plain: 'border border-line bg-raised text-text hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-text',
  danger: 'border border-line bg-raised text-failed hover:bg-failed-soft',
};

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
}

/** A button with words. */
export function Button({ look = 'plain', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(
        'inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-control px-3 text-meta font-medium transition-colors duration-150 disabled:opacity-50',
        looks[look],
        className,
      )}
      {...rest}
    />
  );
}

const iconLooks = {
  quiet: 'text-muted hover:bg-hover hover:text-text disabled:opacity-40 disabled:hover:bg-transparent',
  faint: 'text-faint hover:bg-hover hover:text-text disabled:opacity-40 disabled:hover:bg-transparent',
  primary:
    'rounded-full bg-accent text-on-accent hover:bg-accent-hover disabled:bg-hover disabled:text-faint disabled:hover:bg-hover',
  strong: 'rounded-full bg-text text-bg hover:opacity-85 disabled:opacity-50',
};

export interface IconButtonProps extends ComponentProps<'button'> {
  /** What it does, for the tooltip and for screen readers. */
  label: string;
  size?: 'small' | 'normal';
  look?: keyof typeof iconLooks;
}

/** A button with only an icon; its label shows as a tooltip. At least 24 px to hit, 28 or 32 as a rule. */
export function IconButton(props: IconButtonProps) {
  const { label, size = 'normal', look = 'quiet', className, type = 'button', ...rest } = props;
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex shrink-0 items-center justify-center transition-colors duration-150',
        look === 'primary' || look === 'strong' ? '' : 'rounded-control',
        size === 'small' ? 'size-7' : 'size-8',
        iconLooks[look],
        className,
      )}
      {...rest}
    />
  );
}
