/** The commands of the composer: what is offered while one is typed, and what a text means when it is sent. Pure. */

export interface SlashCommand {
  /** Without the slash. */
  name: string;
  /** What may follow it, as a placeholder; null when nothing does. */
  argument: string | null;
  /** Nothing can be sent without it. */
  needsArgument?: boolean;
  description: string;
  /** Carries it out; answers whether it was taken, and so may leave the composer. Without it, it is a way to send. */
  run?(argument: string): Promise<boolean>;
}

/** Sends the text with a planning phase before the answer. */
export const planCommand: SlashCommand = {
  name: 'plan',
  argument: 'what to do',
  needsArgument: true,
  description: 'Plan first, then do it step by step',
};

const typed = /^\/([\p{L}\d-]*)$/u;
const sent = /^\/([\p{L}\d-]+)(?:\s+([\s\S]*))?$/u;

/** What the menu offers for a text: only while its first word is being written, and nothing else stands there. */
export function matchingCommands(text: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const word = typed.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return [];
  return commands.filter(({ name }) => name.startsWith(word));
}

/** The command that a text is; null for a message, which may well begin with a slash. */
export function readCommand(
  text: string,
  commands: readonly SlashCommand[],
): { command: SlashCommand; argument: string } | null {
  const match = sent.exec(text.trim());
  const command = commands.find(({ name }) => name === match?.[1]?.toLowerCase());
  return command === undefined ? null : { command, argument: (match?.[2] ?? '').trim() };
}
