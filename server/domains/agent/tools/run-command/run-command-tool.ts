/** The tool `run_command`: one shell command in the owner's workspace. Off by default, and every call asks. */
import * as z from 'zod';
import type { Workspace } from '../../../files/workspace/workspace';
import { wholeNumber } from '../parse-arguments';
import { defineTool, type Tool, ToolError } from '../types';
import { MAX_OUTPUT_CHARS, runShell, type ShellResult } from './run-shell';

const HEAD_CHARS = 8_000;
const TAIL_CHARS = 12_000;
const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 1800;

export function createRunCommandTool({ workspace }: { workspace: Workspace }): Tool {
  return defineTool({
    name: 'run_command',
    description:
      'Runs one shell command (sh) in the workspace folder and returns its output and exit code. It has no terminal and no input, ' +
      'and everything it started ends with it. Long output is cut in the middle.',
    class: 'execute',
    input: z.object({
      command: z.string().min(1).max(20_000).describe('The command, as for "sh -c".'),
      timeout_seconds: wholeNumber(1, MAX_TIMEOUT_SECONDS)
        .optional()
        .describe(`Most seconds it may take (default ${DEFAULT_TIMEOUT_SECONDS}).`),
    }),
    timeoutMs: MAX_TIMEOUT_SECONDS * 1000 + 5000,
    resultLimitChars: HEAD_CHARS + TAIL_CHARS + 2000,
    isCompressionCritical: true,
    isOffByDefault: true,
    alwaysAsks: true,
    async run({ command, timeout_seconds = DEFAULT_TIMEOUT_SECONDS }, { userId, signal, reportProgress }) {
      if (command.includes('\u0000')) throw new ToolError('command: holds a NUL character');
      const result = await runShell({
        command,
        directory: await workspace.forOwner(userId).ensure(),
        timeoutMs: timeout_seconds * 1000,
        signal,
        headChars: HEAD_CHARS,
        tailChars: TAIL_CHARS,
        onLine: reportProgress,
      });
      const text = `${headline(result, timeout_seconds)}\n${result.output.trimEnd() || '(no output)'}`;
      if (result.endedBy === 'timeout' || result.endedBy === 'output') throw new ToolError(text);
      return {
        text,
        metadata: {
          command,
          exitCode: result.exitCode,
          exitSignal: result.exitSignal,
          outputChars: result.outputChars,
        },
      };
    },
  });
}

function headline(result: ShellResult, timeoutSeconds: number): string {
  if (result.endedBy === 'timeout') return `Ended after ${timeoutSeconds} s (time limit). Output so far:`;
  if (result.endedBy === 'output') return `Ended because it wrote more than ${MAX_OUTPUT_CHARS} characters. Output:`;
  if (result.endedBy === 'stop') return 'Ended by the stop. Output so far:';
  if (result.exitCode !== null) return `Exit code ${result.exitCode}.`;
  return `Ended by signal ${result.exitSignal ?? 'unknown'}.`;
}
