/** What a tool is. The agent loop validates, asks for approval, times out and truncates; a tool only does its work. */
import type * as z from 'zod';
import type { Attachment } from '../../messages/schema';

/** What a call can do to the world. All but `read` can ask for approval. */
export type ToolClass = 'read' | 'write' | 'execute' | 'network';

export interface ToolContext {
  sessionId: string;
  /** Owner of the session; '' for none. */
  userId: string;
  runId: string;
  /** The fence of the run: what a tool writes into the database carries it (product §3). Null outside of a run. */
  epoch: number | null;
  toolCallId: string;
  /** Aborts on stop, on time-out and when the lease is lost. */
  signal: AbortSignal;
  now: Date;
  /** A line for the live card while the call runs, and the session of the subagent that does the work. */
  reportProgress(text: string, about?: { childSessionId: string }): void;
}

export interface ToolOutput {
  /** What the model reads. Stored whole up to the tool's limit. */
  text: string;
  /** Shown on the card, not sent to the model. */
  metadata?: Record<string, unknown>;
  /** Session files that the model is shown behind the result, as far as there is room. */
  images?: Attachment[];
}

/** A fault that the model should read and may mend: becomes a failed result, not an exception of the run. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    message: string,
    /** Shown on the card of the failed call. */
    readonly metadata: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export interface Tool<Input extends z.ZodType = z.ZodType> {
  /** snake_case, as the model calls it. */
  name: string;
  description: string;
  class: ToolClass;
  input: Input;
  timeoutMs: number;
  /** Longest result in characters; more is cut with a note that says so. */
  resultLimitChars: number;
  /** Its results are kept verbatim by the summary (`is_compression_critical`). */
  isCompressionCritical: boolean;
  /** Off unless a profile or the environment switches it on. */
  isOffByDefault?: boolean;
  /** Calls of one step that stand next to each other run side by side, so many at once. Default 1: in order. */
  maxParallel?: number;
  /** Always asks, whatever the profile says (run_command). */
  alwaysAsks?: boolean;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Keeps the input's type while the tool is written, and forgets it for the registry. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
