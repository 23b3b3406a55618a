import { cx } from '../../../lib/class-names';
import type { SlashMenuState } from './use-slash-menu';

/** The commands that begin with what is written, above the field. */
export function SlashMenu({ menu }: { menu: SlashMenuState }) {
  const { id, isOpen, matches, active, setActive, complete } = menu;
  if (!isOpen) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Commands"
      className="pop-in absolute bottom-full left-0 z-30 mb-2 w-[min(26rem,100%)] rounded-card border border-line bg-raised p-1 shadow-pop"
    >
      {matches.map((command, index) => (
        // The keyboard is the field's: arrows, Enter and Tab.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
        <div
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerMove={() => setActive(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => complete(command)}
          className={cx(
            'flex cursor-pointer flex-wrap items-baseline gap-x-2 rounded-control px-2.5 py-1.5 text-meta',
            index === active && 'bg-hover',
          )}
        >
          <span className="font-medium">/{command.name}</span>
          {command.argument !== null && <span className="text-faint">{command.argument}</span>}
          <span className="ml-auto text-muted text-small">{command.description}</span>
        </div>
      ))}
    </div>
  );
}
