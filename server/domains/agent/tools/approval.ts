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

/**
 * Whether this call must wait for a person.
 * @param allowedInSession names of the tools that the person has allowed for the rest of this session.
 */
export function needsApproval(
  tool: Pick<Tool, 'name' | 'class' | 'alwaysAsks'>,
  policy: ApprovalPolicy = defaultApprovalPolicy,
  allowedInSession: ReadonlySet<string> = new Set(),
): boolean {
  if (tool.alwaysAsks === true) return true;
  if (tool.class === 'read') return false;
  const rule = policy[tool.class];
  if (rule === 'ask') return !allowedInSession.has(tool.name);
  return rule === 'always';
}
