/** The tool `run_command`: one shell command in the owner's workspace. Off by default, and every call asks. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SessionFolder } from '../../../files/session-folder';
import type { Workspace } from '../../../files/workspace/workspace';
import { temporaryName } from '../../../files/workspace/write-text';
import type { FilePlaces } from '../file-places';
import { wholeNumber } from '../parse-arguments';
import { defineTool, type Tool, type ToolContext, ToolError } from '../types';
import { MAX_OUTPUT_CHARS, runShell, type ShellResult } from './run-shell';

const HEAD_CHARS = 8_000;
const TAIL_CHARS = 12_000;
const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 1800;
/** Files of the chat that one command is given. */
const MAX_FILES = 20;

export interface RunCommandDependencies {
  workspace: Workspace;
  sessionFolder: SessionFolder;
  places: FilePlaces;
}

export function createRunCommandTool({ workspace, sessionFolder, places }: RunCommandDependencies): Tool {
  /** Copies of files of the chat, under their shown names, which nothing on the disk has. Nobody writes into the originals. */
  async function layOut(paths: readonly string[], folder: string, context: ToolContext): Promise<void> {
    await mkdir(folder);
    const laid = new Set<string>();
    for (const path of paths) {
      const place = await places.locate(path, context);
      if (place.kind === 'workspace') throw new ToolError(`files: ${JSON.stringify(path)} is no file of this chat.`);
      const file = await sessionFolder.get(place.sessionId, place.name ?? '');
      if (laid.has(file.name)) throw new ToolError(`files: two of them are called ${JSON.stringify(file.name)}.`);
      laid.add(file.name);
      await sessionFolder.copyOut(file, join(folder, file.name), context.signal);
    }
  }

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
      files: z
        .array(z.string().min(1).max(4000))
        .max(MAX_FILES)
        .optional()
        .describe(
          'Files of this chat that it needs (session_files/NAME): copies lie in the folder "$FILES" while it runs.',
        ),
    }),
    timeoutMs: MAX_TIMEOUT_SECONDS * 1000 + 5000,
    resultLimitChars: HEAD_CHARS + TAIL_CHARS + 2000,
    isCompressionCritical: true,
    isOffByDefault: true,
    alwaysAsks: true,
    async run({ command, timeout_seconds = DEFAULT_TIMEOUT_SECONDS, files = [] }, context) {
      if (command.includes('\u0000')) throw new ToolError('command: holds a NUL character');
      const directory = await workspace.forOwner(context.userId).ensure();
      const folder = files.length === 0 ? null : join(directory, temporaryName());
      let result: ShellResult;
      try {
        if (folder !== null) await layOut(files, folder, context);
        result = await runShell({
          command,
          directory,
          variables: folder === null ? {} : { FILES: folder },
          timeoutMs: timeout_seconds * 1000,
          signal: context.signal,
          headChars: HEAD_CHARS,
          tailChars: TAIL_CHARS,
          onLine: context.reportProgress,
        });
      } finally {
        if (folder !== null) await rm(folder, { recursive: true, force: true });
      }
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
