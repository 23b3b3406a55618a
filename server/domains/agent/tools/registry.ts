/** The tools of one server: looked up by name, chosen for a profile, described for a model. Runs nothing. */
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import * as z from 'zod';
import { AppError } from '../../../lib/errors';
import type { Tool } from './types';

/** Which tools a run offers to its model. */
export interface ToolSelection {
  /** Names of the tools a profile lists; null for every tool that is not off by default. */
  names: readonly string[] | null;
  /** Tools that are off by default and were switched on by the environment. */
  switchedOn?: readonly string[];
}

export interface ToolRegistry {
  /** Every tool, in the order given, so that the prompt's head stays byte-stable. */
  all(): readonly Tool[];
  /** The tool of that name, or null. */
  find(name: string): Tool | null;
  /** The tools of a profile. Unknown names are left out: a profile may name a tool of a server that is not connected. */
  select(selection: ToolSelection): Tool[];
  /** The same tools as the language model interface wants them, with the JSON Schema of their inputs. */
  describe(tools: readonly Tool[]): LanguageModelV3FunctionTool[];
}

/** Names that every vendor accepts (OpenAI's rule is the narrowest: letters, digits, `_`, `-`, at most 64). */
const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Throws `internal` for a doubled or unusable name: a mistake of the program, found at start. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  const descriptions = new Map<Tool, LanguageModelV3FunctionTool>();
  for (const tool of tools) {
    if (!TOOL_NAME.test(tool.name)) throw new AppError('internal', `unusable tool name ${JSON.stringify(tool.name)}`);
    if (byName.has(tool.name)) throw new AppError('internal', `two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }

  const describeOne = (tool: Tool): LanguageModelV3FunctionTool => {
    const known = descriptions.get(tool);
    if (known !== undefined) return known;
    const description = {
      type: 'function' as const,
      name: tool.name,
      description: tool.description,
      inputSchema: toInputSchema(tool.input),
    };
    descriptions.set(tool, description);
    return description;
  };

  return {
    all: () => tools,
    find: (name) => byName.get(name) ?? null,
    select: ({ names, switchedOn = [] }) =>
      tools.filter((tool) => {
        if (tool.isOffByDefault === true && !switchedOn.includes(tool.name)) return names?.includes(tool.name) ?? false;
        return names === null || names.includes(tool.name);
      }),
    describe: (chosen) => chosen.map(describeOne),
  };
}

/** JSON Schema (draft 7, the dialect of the interface) of what a model may send, before defaults are filled in. */
export function toInputSchema(input: z.ZodType): LanguageModelV3FunctionTool['inputSchema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { target: 'draft-7', io: 'input' });
  return schema as LanguageModelV3FunctionTool['inputSchema'];
}
