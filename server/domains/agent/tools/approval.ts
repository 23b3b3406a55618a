/**
 * Who has to be asked before a tool call runs. Pure: the loop asks, stores the answer and waits; this only decides.
 */
import type * as z from 'zod';
import type { approvalRuleSchema } from '../../profiles/schema';
import type { Tool, ToolClass } from './types';

/**
 * - `never`: runs without a question.
 * - `ask`: asks, and an answer "for this session" is remembered.
 * - `always`: asks every single time, whatever was answered before.
 */
export type ApprovalRule = z.infer<typeof approvalRuleSchema>;

/** Reading what already belongs to the owner never asks, so it has no rule. */
export type ApprovalPolicy = Readonly<Record<Exclude<ToolClass, 'read'>, ApprovalRule>>;

/**
 * The default. Writing stays inside the owner's own workspace, which the tools cannot leave, and asking for each note
 * would teach people to click without reading. What leaves the machine or runs on it is asked.
 */
export const defaultApprovalPolicy: ApprovalPolicy = { write: 'never', network: 'ask', execute: 'ask' };

/** The rule for calls of a tool. */
export function approvalRuleOf(
  tool: Pick<Tool, 'class' | 'alwaysAsks'>,
  policy: ApprovalPolicy = defaultApprovalPolicy,
): ApprovalRule {
  if (tool.alwaysAsks === true) return 'always';
  return tool.class === 'read' ? 'never' : policy[tool.class];
}
