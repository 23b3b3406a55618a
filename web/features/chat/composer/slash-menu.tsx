import { Fragment, useEffect, useRef } from 'react';
import { cx } from '../../../lib/class-names';
import type { SlashMenuState } from './use-slash-menu';

/** The commands that begin with what is written: above the field, or below it where there is more room. */
export function SlashMenu({ menu, side }: { menu: SlashMenuState; side: 'above' | 'below' }) {
  const { id, isOpen, isUnknown, matches, active, setActive, pick } = menu;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) box.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active, id]);
  if (isUnknown) {
    return (
      <p role="status" className={cx(surface, sides[side], 'px-3.5 py-2.5 text-meta text-muted')}>
        There is no such command. Enter sends it as a message.
      </p>
    );
  }
  if (!isOpen) return null;
  return (
    <div
      ref={box}
      id={id}
      role="listbox"
      aria-label="Commands"
      className={cx(surface, sides[side], 'max-h-[min(22rem,45dvh)] overflow-y-auto overscroll-contain p-1')}
    >
      {matches.map((command, index) => (
        <Fragment key={command.name}>
          {command.group !== undefined && command.group !== matches[index - 1]?.group && (
            <div role="presentation" className="px-2.5 pt-2 pb-1 text-small text-faint">
              {command.group}
            </div>
          )}
          {/* The keyboard is the field's: arrows, Enter and Tab. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
          <div
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerMove={() => setActive(index)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(command)}
            className={cx('cursor-pointer rounded-control px-2.5 py-1.5 text-meta', index === active && 'bg-hover')}
          >
            <span className="font-medium">/{command.name}</span>
            {command.argument !== null && <span className="ml-2 text-faint">{command.argument}</span>}
            <span dir="auto" className="line-clamp-2 text-muted text-small">
              {command.description}
            </span>
          </div>
        </Fragment>
      ))}
    </div>
  );
}

const surface = 'pop-in absolute left-0 z-30 w-[min(26rem,100%)] rounded-card border border-line bg-raised shadow-pop';
const sides = { above: 'bottom-full mb-2', below: 'top-full mt-2' };
