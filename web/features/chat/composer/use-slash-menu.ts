import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import type { SlashCommand } from '../../../lib/slash-command';
import { isCommandBeingTyped, matchingCommands } from './slash-commands';

interface SlashMenuOptions {
  text: string;
  commands: readonly SlashCommand[];
  field: RefObject<HTMLTextAreaElement | null>;
  write(text: string): void;
  send(): Promise<void>;
  /** A slash stands at the beginning: what is offered is needed now. */
  onWanted?: (() => Promise<unknown>) | undefined;
}

export type SlashMenuState = ReturnType<typeof useSlashMenu>;

/** The menu of commands: open while the first word after a slash is written, and until Esc. The focus stays in the field. */
export function useSlashMenu({ text, commands, field, write, send, onWanted }: SlashMenuOptions) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const matches = matchingCommands(text, commands);
  const isOpen = matches.length > 0 && closedFor === null;
  const active = Math.min(index, matches.length - 1);
  const isUnknown = matches.length === 0 && text.length > 1 && isCommandBeingTyped(text);
  const isWanted = text.startsWith('/');
  useEffect(() => {
    // Where it fails, what is known stays on offer; who sends one hears of it.
    if (isWanted) onWanted?.().catch(() => {});
  }, [isWanted, onWanted]);
  // What is marked follows the list, not its place in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another word, another list.
  useEffect(() => setIndex(0), [text]);
  // Once the text is no command any more, a new slash opens the menu again.
  useEffect(() => {
    if (matches.length === 0) setClosedFor(null);
  }, [matches.length]);

  const complete = (command: SlashCommand | undefined) => {
    if (command === undefined) return;
    write(`/${command.name} `);
    field.current?.focus();
  };
  /** What takes nothing more is carried out; the rest is written out, to go on from there. */
  const pick = (command: SlashCommand | undefined) => {
    if (command === undefined || command.argument !== null) return complete(command);
    write(`/${command.name}`);
    field.current?.focus();
    void send();
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
      else pick(command);
    } else return false;
    event.preventDefault();
    return true;
  };

  return {
    id,
    isOpen,
    isUnknown,
    matches,
    active,
    setActive: setIndex,
    pick,
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
