/**
 * Runs one tool call to an end, whatever the tool does. It never throws and never waits longer than the tool's time-out
 * and a short grace: an unknown name, bad arguments, an exception, a hang or a flood of text all become a result that
 * the model can read. It neither asks for approval nor stores anything.
 */
import { LeaseLostError } from '../../../events/log';
import type { Clock } from '../../../lib/clock';
import { isAppError } from '../../../lib/errors';
import type { Attachment } from '../../messages/schema';
import { parseArguments } from './parse-arguments';
import { type Tool, type ToolContext, ToolError, type ToolOutput } from './types';

export interface ToolCallRequest {
  name: string;
  arguments: unknown;
  /** The raw text when the arguments were no JSON, else null. */
  malformed: string | null;
}

export interface ToolCallResult {
  status: 'done' | 'failed' | 'timed-out' | 'stopped';
  /** What the model reads. */
  text: string;
  metadata: Record<string, unknown>;
  images: Attachment[];
  durationMs: number;
}

export interface ToolCallExecution {
  call: ToolCallRequest;
  /** The tools this run offers; a tool outside them is unknown even when the server has it. */
  tools: readonly Tool[];
  /** `signal` is the run's: aborting it stops the call. `now` is taken from the clock. */
  context: Omit<ToolContext, 'now'>;
  clock: Clock;
  /** Called once with the exception when a tool threw something that is neither a ToolError nor an AppError. */
  onUnexpectedError?: (error: unknown) => void;
}

/**
 * Milliseconds that an aborted tool has to hand in what it got so far (the output of a killed command). Well below the
 * second within which a stop must be seen to work (product §3).
 */
const ABORT_GRACE_MS = 400;

type Outcome =
  | { kind: 'output'; output: ToolOutput }
  | { kind: 'error'; error: unknown }
  | { kind: 'timed-out'; partial: ToolOutput | null }
  | { kind: 'stopped'; partial: ToolOutput | null };

/** Validates the arguments, runs the tool, cuts the result to its limit. Never throws. */
export async function executeToolCall(execution: ToolCallExecution): Promise<ToolCallResult> {
  const { call, tools, context, clock } = execution;
  const startedAt = clock.now();
  const finish = (
    status: ToolCallResult['status'],
    text: string,
    metadata: Record<string, unknown> = {},
    images: Attachment[] = [],
  ): ToolCallResult => ({
    status,
    text,
    metadata,
    images,
    durationMs: Math.max(0, clock.now().getTime() - startedAt.getTime()),
  });

  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    return finish(
      'failed',
      `There is no tool named ${JSON.stringify(call.name)}. Available tools: ${names || 'none'}.`,
    );
  }
  const cut = (text: string) => cutResult(text, tool.resultLimitChars);

  const parsed = parseArguments(tool, call.arguments, call.malformed);
  if (!parsed.ok) return finish('failed', cut(parsed.problem), { reason: 'invalid-arguments' });

  const outcome = await runToEnd(tool, parsed.input, { ...context, now: startedAt }, clock);
  switch (outcome.kind) {
    case 'output':
      return finish('done', cut(outcome.output.text), outcome.output.metadata, outcome.output.images);
    case 'timed-out': {
      const seconds = Math.round(tool.timeoutMs / 100) / 10;
      return finish(
        'timed-out',
        cut(withPartial(`Timed out after ${seconds} s.`, outcome.partial)),
        outcome.partial?.metadata,
      );
    }
    case 'stopped':
      return finish(
        'stopped',
        cut(withPartial('Stopped before it was done.', outcome.partial)),
        outcome.partial?.metadata,
      );
    case 'error':
      // The run that called it is over: whoever ended it has told so, and the result will not be stored.
      if (outcome.error instanceof LeaseLostError) return finish('stopped', 'Stopped before it was done.');
      if (outcome.error instanceof ToolError || isAppError(outcome.error)) {
        const metadata = outcome.error instanceof ToolError ? outcome.error.metadata : {};
        return finish('failed', cut(outcome.error.message), metadata);
      }
      execution.onUnexpectedError?.(outcome.error);
      return finish('failed', cut(`${tool.name} failed: ${messageOf(outcome.error)}`), { reason: 'unexpected-error' });
  }
}

async function runToEnd(tool: Tool, input: unknown, context: ToolContext, clock: Clock): Promise<Outcome> {
  if (context.signal.aborted) return { kind: 'stopped', partial: null };
  const abort = new AbortController();
  const timers = new AbortController();
  let hasEnded = false;

  const work: Promise<Outcome> = Promise.resolve()
    .then(() =>
      tool.run(input, {
        ...context,
        signal: abort.signal,
        // A tool that was given up must not talk into a card that is already settled.
        reportProgress: (text, about) => {
          if (!hasEnded) context.reportProgress(text, about);
        },
      }),
    )
    .then((output) => ({ kind: 'output' as const, output }))
    .catch((error: unknown) => ({ kind: 'error' as const, error }));

  const stop = new Promise<'stopped'>((resolve) => {
    context.signal.addEventListener('abort', () => resolve('stopped'), { once: true, signal: timers.signal });
  });
  const timeout = clock.sleep(tool.timeoutMs, timers.signal).then(
    () => 'timed-out' as const,
    () => new Promise<never>(() => {}),
  );

  try {
    const first = await Promise.race([work, stop, timeout]);
    if (typeof first !== 'string') return first;
    abort.abort(new Error(first));
    const late = await Promise.race([
      work,
      clock.sleep(ABORT_GRACE_MS, timers.signal).then(
        () => null,
        () => null,
      ),
    ]);
    return { kind: first, partial: late?.kind === 'output' ? late.output : null };
  } finally {
    hasEnded = true;
    timers.abort();
  }
}

/** The first `limitChars` characters with a note that says what is missing; the note counts towards the limit. */
export function cutResult(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  const note = (shown: number) => `\n\n[Cut: the first ${shown} of ${text.length} characters are shown.]`;
  const shown = Math.max(0, limitChars - note(limitChars).length);
  const isSplitPair = shown > 0 && /[\uD800-\uDBFF]/.test(text.charAt(shown - 1));
  const length = isSplitPair ? shown - 1 : shown;
  return text.slice(0, length) + note(length);
}

function withPartial(line: string, partial: ToolOutput | null): string {
  return partial === null || partial.text === '' ? line : `${line}\n${partial.text}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'unknown error';
}
