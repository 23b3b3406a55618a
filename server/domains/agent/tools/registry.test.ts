import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { approvalRuleOf, defaultApprovalPolicy } from './approval';
import { wholeNumber, yesOrNo } from './parse-arguments';
import { createToolRegistry } from './registry';
import { defineTool, type Tool, type ToolClass } from './types';

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    class: 'read',
    input: z.object({
      path: z.string().describe('Where.'),
      limit: wholeNumber(1, 10).default(5),
      deep: yesOrNo().optional(),
    }),
    timeoutMs: 1000,
    resultLimitChars: 1000,
    isCompressionCritical: false,
    run: async () => ({ text: '' }),
    ...more,
  });
}

describe('the registry', () => {
  const registry = createToolRegistry([tool('a'), tool('b'), tool('danger', { isOffByDefault: true })]);
  const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);

  it('offers what a profile lists, in a stable order', () => {
    expect(names(registry.select({ names: null }))).toEqual(['a', 'b']);
    expect(names(registry.select({ names: ['b', 'gone', 'a'] }))).toEqual(['a', 'b']);
    expect(names(registry.select({ names: [] }))).toEqual([]);
  });

  it('keeps a tool that is off by default off until it is switched on or listed', () => {
    expect(names(registry.select({ names: null, switchedOn: ['danger'] }))).toEqual(['a', 'b', 'danger']);
    expect(names(registry.select({ names: ['danger'] }))).toEqual(['danger']);
    expect(names(registry.select({ names: ['a'], switchedOn: ['danger'] }))).toEqual(['a']);
  });

  it('describes inputs as a model sends them: defaults are optional, hints are kept', () => {
    const [described] = registry.describe(registry.select({ names: ['a'] }));
    expect(described).toMatchObject({
      type: 'function',
      name: 'a',
      description: 'Does a.',
      inputSchema: {
        type: 'object',
        required: ['path'],
        properties: {
          path: { type: 'string', description: 'Where.' },
          limit: { type: 'integer', minimum: 1, maximum: 10 },
          deep: { type: 'boolean' },
        },
      },
    });
    expect(described?.inputSchema).not.toHaveProperty('$schema');
  });

  it('takes numbers and yes or no that a small model wrote as text', () => {
    expect(tool('a').input.parse({ path: 'x', limit: '7', deep: 'true' })).toEqual({ path: 'x', limit: 7, deep: true });
    expect(tool('a').input.safeParse({ path: 'x', limit: '70' }).success).toBe(false);
    expect(tool('a').input.safeParse({ path: 'x', limit: 'many' }).success).toBe(false);
  });

  it('refuses two tools of one name and names that vendors refuse', () => {
    expect(() => createToolRegistry([tool('a'), tool('a')])).toThrow('a');
    expect(() => createToolRegistry([tool('read file')])).toThrow('read file');
  });
});

describe('approval', () => {
  const of = (kind: ToolClass, alwaysAsks = false) => ({ class: kind, alwaysAsks });

  it('asks by default before leaving the machine or running something on it', () => {
    expect(approvalRuleOf(of('read'))).toBe('never');
    expect(approvalRuleOf(of('write'))).toBe('never');
    expect(approvalRuleOf(of('network'))).toBe('ask');
    expect(approvalRuleOf(of('execute'))).toBe('ask');
  });

  it('follows the profile', () => {
    const policy = { ...defaultApprovalPolicy, network: 'never', write: 'always' } as const;
    expect(approvalRuleOf(of('network'), policy)).toBe('never');
    expect(approvalRuleOf(of('write'), policy)).toBe('always');
    expect(approvalRuleOf(of('execute'), policy)).toBe('ask');
  });

  it('lets no policy silence a tool that always asks', () => {
    const silent = { write: 'never', network: 'never', execute: 'never' } as const;
    expect(approvalRuleOf(of('execute', true), silent)).toBe('always');
    expect(approvalRuleOf(of('read', true), silent)).toBe('always');
  });
});
