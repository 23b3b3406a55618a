import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import { matchingCommands, type SlashCommand } from './slash-commands';

interface SlashMenuOptions {
  text: string;
  commands: readonly SlashCommand[];
  field: RefObject<HTMLTextAreaElement | null>;
  write(text: string): void;
  send(): Promise<void>;
}

export type SlashMenuState = ReturnType<typeof useSlashMenu>;

/** The menu of commands: open while the first word after a slash is written, and until Esc. The focus stays in the field. */
export function useSlashMenu({ text, commands, field, write, send }: SlashMenuOptions) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const matches = matchingCommands(text, commands);
  const isOpen = matches.length > 0 && closedFor === null;
  const active = Math.min(index, matches.length - 1);
  // Once the text is no command any more, a new slash opens the menu again.
  useEffect(() => {
    if (matches.length === 0) {
      setClosedFor(null);
      setIndex(0);
    }
  }, [matches.length]);

  const complete = (command: SlashCommand | undefined) => {
    if (command === undefined) return;
    write(`/${command.name} `);
    field.current?.focus();
  };

  /** Answers whether the key was the menu's. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const command = matches[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setIndex((active + step + matches.length) % matches.length);
    } else if (event.key === 'Escape') setClosedFor(text);
    else if (event.key === 'Tab') complete(command);
    else if (event.key === 'Enter') {
      // Written out in full, and good as it is: it is meant.
      if (command !== undefined && text === `/${command.name}` && !command.needsArgument) void send();
      else complete(command);
    } else return false;
    event.preventDefault();
    return true;
  };

  return {
    id,
    isOpen,
    matches,
    active,
    setActive: setIndex,
    complete,
    onKeyDown,
    fieldProps: isOpen
      ? ({
          'aria-autocomplete': 'list',
          'aria-controls': id,
          'aria-activedescendant': `${id}-${active}`,
        } as const)
      : {},
  };
}
