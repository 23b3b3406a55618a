/** A command of the composer. Features offer theirs; routes hand them to the chat. */
export interface SlashCommand {
  /** Without the slash. */
  name: string;
  /** What may follow it, as a placeholder. Null when nothing need: it is carried out as soon as it is picked. */
  argument: string | null;
  /** A message may follow, which goes out after the command was carried out. */
  mayLead?: boolean;
  /** Nothing can be sent without it. */
  needsArgument?: boolean;
  description: string;
  /** Commands of a kind stand together under these words. */
  group?: string;
  /**
   * Carries it out; answers whether it was taken, and so may leave the composer; or a text that is sent in its place.
   * Without it, it is a way to send. `ensureSession` creates the chat where it does not exist yet.
   */
  run?(argument: string, ensureSession: () => Promise<string>): Promise<boolean | string>;
}

/** Commands of a feature that come from the server. */
export interface CommandList {
  /** As far as they are known. */
  commands: readonly SlashCommand[];
  /** All of them, as they are now. Throws while the server cannot be reached. */
  load(): Promise<readonly SlashCommand[]>;
}
