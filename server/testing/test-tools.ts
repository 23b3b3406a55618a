/** Tools for tests of the agent: what they do is up to the test. */
import * as z from 'zod';
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../domains/agent/tools/types';

export function createTestTool(
  name: string,
  run: (input: Record<string, unknown>, context: ToolContext) => Promise<ToolOutput>,
  overrides: Partial<Tool> = {},
): Tool {
  return defineTool({
    name,
    description: `The tool ${name} of a test.`,
    class: 'read',
    input: z.looseObject({}),
    timeoutMs: 20_000,
    resultLimitChars: 10_000,
    isCompressionCritical: false,
    run: (input, context) => run(input as Record<string, unknown>, context),
    ...overrides,
  });
}

/** Waits until its call is aborted, as a well-behaved tool does. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
