/** The commands of the composer: what is offered while one is typed, and what a text means when it is sent. Pure. */

import type { SlashCommand } from '../../../lib/slash-command';

/** Sends the text with a planning phase before the answer. */
export const planCommand: SlashCommand = {
  name: 'plan',
  argument: 'what to do',
  needsArgument: true,
  description: 'Plan first, then do it step by step',
};

/** Names of commands come from files of people, too: letters and digits of any script, `-` and `_`. */
const typed = /^\/([\p{L}\p{N}_-]*)$/u;
const sent = /^\/([\p{L}\p{N}_-]+)(?:\s+([\s\S]*))?$/u;

/** Whether the name of a command is being written, and nothing else stands there. */
export const isCommandBeingTyped = (text: string): boolean => typed.test(text);

/** Whether a text could be sent to a command: it begins with a slash and a name. */
export const mayBeCommand = (text: string): boolean => sent.test(text.trim());

/** What the menu offers for a text: names that begin so, or of which a later word does. */
export function matchingCommands(text: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const word = typed.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return [];
  return commands.filter(
    ({ name }) => name.startsWith(word) || name.split(/[-_]/).some((part) => part.startsWith(word)),
  );
}

/** The command that a text is; null for a message, which may well begin with a slash. */
export function readCommand(
  text: string,
  commands: readonly SlashCommand[],
): { command: SlashCommand; argument: string } | null {
  const match = sent.exec(text.trim());
  const command = commands.find(({ name }) => name === match?.[1]?.toLowerCase());
  const argument = (match?.[2] ?? '').trim();
  if (command === undefined) return null;
  // "/share what you found" is a message: nothing of it may get lost.
  if (argument !== '' && command.argument === null && !command.mayLead) return null;
  return { command, argument };
}

/** Names are what is typed, so each is given once: the first keeps its own, a later one gets its kind before it. */
export function withNamesApart(commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const taken = new Set<string>();
  return commands.flatMap((command) => {
    const kind = command.group?.toLowerCase().replace(/s$/, '');
    const own = command.name.toLowerCase();
    const name = [own, `${kind}-${own}`].find((candidate) => !taken.has(candidate));
    if (name === undefined) return [];
    taken.add(name);
    return name === command.name ? [command] : [{ ...command, name }];
  });
}
