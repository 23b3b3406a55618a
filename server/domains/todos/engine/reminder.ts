/**
 * What the agent is shown of its plan before each model call (product §7): short, the rules only on a turn's first step.
 * It is sent with every step, so its length is budgeted: 10 steps take at most 350 tokens with the rules, 250 without.
 */
import type { PlanStep, StepStatus } from '../schema';
import { isOpen } from './plan';

export const statusIcons: Readonly<Record<StepStatus, string>> = {
  pending: '○',
  in_progress: '◎',
  done: '✓',
  failed: '✗',
  skipped: '—',
};

/** Steps shown around the current one in a long plan. */
const SHOWN_BEFORE = 6;
const SHOWN_AFTER = 14;
/** Tokens of the list per step shown, and the least that a short plan may take. 10 steps: 230, which leaves 20 for the head. */
const TOKENS_PER_STEP = 23;
const LEAST_TOKENS = 120;

const RULES = [
  'Keep it true with your plan tool: one step in_progress at a time, set when you begin it.',
  'done only with its validation: how you checked the result. failed with the reason.',
  'Add steps that turn up, skip those no longer needed; close every step before your final answer.',
].join('\n');

interface Limits {
  /** Characters of an open step, and of a closed one: what is done matters less. */
  open: number;
  closed: number;
  remark: number;
}

/** From roomy to bare; the first that fits the budget is taken. `todo view` shows all. */
const LIMITS: readonly Limits[] = [
  { open: 160, closed: 120, remark: 90 },
  { open: 120, closed: 70, remark: 50 },
  { open: 90, closed: 48, remark: 32 },
  { open: 64, closed: 32, remark: 20 },
  { open: 40, closed: 24, remark: 0 },
  { open: 22, closed: 16, remark: 0 },
  { open: 12, closed: 8, remark: 0 },
  { open: 6, closed: 4, remark: 0 },
];

/** Cuts between characters as people see them: half an emoji is none. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text.slice(0, limit + 64),
  )) {
    if (kept.length + segment.length > limit - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Tokens of a text, rather too many than too few: latin text has 3.5 to 5 characters a token, digits and signs 1 to 2, other
 * scripts up to 1.5 tokens a character, emoji more. Checked against real tokenizers in the tests.
 */
export function boundTokens(text: string): number {
  let tokens = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 32) tokens += 0.05;
    else if (code < 128) tokens += /[A-Za-z]/.test(character) ? 0.31 : /[0-9\n]/.test(character) ? 1.15 : 0.8;
    else if (code < 0x2000) tokens += 0.75;
    else if (code < 0x10000) tokens += 1.4;
    else tokens += 3;
  }
  return Math.ceil(tokens);
}

/** One line; line breaks inside a step would look like further steps. */
export function formatStep(step: PlanStep, position: number, limits: Limits): string {
  const remark = step.validation ?? step.note;
  const parts = [
    `${position}. ${statusIcons[step.status]} ${cut(oneLine(step.text), isOpen(step) ? limits.open : limits.closed)}`,
  ];
  if (step.priority === 'high') parts.push('(high)');
  if (step.source === 'user' && isOpen(step)) parts.push("(the person's)");
  if (isOpen(step) && step.executor?.kind === 'agent') parts.push(`(agent: ${step.executor.name ?? 'any'})`);
  if (remark !== null && remark !== '' && limits.remark > 0) parts.push(`[${cut(oneLine(remark), limits.remark)}]`);
  return parts.join(' ');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Null for an empty plan: an agent without a plan is not reminded of one. */
export function planReminder(tasks: readonly PlanStep[], { isFirstStep }: { isFirstStep: boolean }): string | null {
  if (tasks.length === 0) return null;
  const closed = tasks.filter((step) => !isOpen(step)).length;
  const firstOpen = tasks.findIndex(isOpen);
  const current = firstOpen === -1 ? tasks.length - 1 : firstOpen;
  const from = Math.max(0, current - SHOWN_BEFORE);
  const to = Math.min(tasks.length, current + SHOWN_AFTER);
  const shown = tasks.slice(from, to);
  const budget = Math.max(LEAST_TOKENS, shown.length * TOKENS_PER_STEP);
  let lines: string[] = [];
  for (const limits of LIMITS) {
    lines = shown.map((step, index) => formatStep(step, from + index + 1, limits));
    if (boundTokens(lines.join('\n')) <= budget) break;
  }
  if (from > 0) lines.unshift(`… ${from} earlier`);
  if (to < tasks.length) lines.push(`… ${tasks.length - to} more`);
  return [`[Plan, ${closed} of ${tasks.length} closed]`, ...lines, ...(isFirstStep ? [RULES] : [])].join('\n');
}
