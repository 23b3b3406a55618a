/**
 * What the agent is shown of its plan before each model call (product §7): short, the rules only on a turn's first step.
 * It is sent with every step, so its length is budgeted: 10 steps take at most 350 tokens with the rules, 250 without. The
 * current step comes first: it is whole as long as it fits, and the others share what it leaves.
 */
import type { PlanToolsMode } from '../../profiles/schema';
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
/** Tokens of the list per step shown, and the least that a short plan may take. 10 steps: 225, which leaves 25 for the rest. */
const TOKENS_PER_STEP = 22.5;
const LEAST_TOKENS = 120;
/** Of the list's tokens, what the current step may take. */
const CURRENT_SHARE = 0.4;

const RULES = [
  'Keep it true with your plan tool: one step in_progress at a time, set when you begin it.',
  'done only with its validation: how you checked the result. failed with the reason.',
  'Add steps that turn up, skip those no longer needed; close every step before your final answer.',
].join('\n');
/** AgentPool's tools know three statuses and take no validation (`agent/tools/plan-tools.ts`). */
const ENTRY_RULES = [
  'Keep it true with your plan tools: one entry in_progress at a time, set when you begin it.',
  'completed only once you checked the result.',
  'Add entries that turn up, remove those no longer needed; complete every entry before your final answer.',
].join('\n');
const SHORTENED = '(Shortened; your plan tool shows it whole.)';

interface Limits {
  /** Characters of an open step, and of a closed one: what is done matters less. */
  open: number;
  closed: number;
  /** Characters of a validation or note: what it says of a closed step matters as much as the step. */
  remark: number;
}

const WHOLE: Limits = { open: Infinity, closed: Infinity, remark: Infinity };
/** From whole to bare; the first that fits the budget is taken. */
const LIMITS: readonly Limits[] = [
  WHOLE,
  { open: 160, closed: 120, remark: 120 },
  { open: 120, closed: 90, remark: 90 },
  { open: 100, closed: 70, remark: 72 },
  { open: 84, closed: 56, remark: 60 },
  { open: 70, closed: 46, remark: 50 },
  { open: 58, closed: 38, remark: 40 },
  { open: 48, closed: 32, remark: 32 },
  { open: 40, closed: 26, remark: 26 },
  { open: 32, closed: 20, remark: 20 },
  { open: 22, closed: 15, remark: 14 },
  { open: 12, closed: 8, remark: 8 },
  { open: 9, closed: 6, remark: 0 },
  { open: 6, closed: 4, remark: 0 },
];
/** The same for the current step: its note is cut first. */
const CURRENT_LIMITS: readonly Limits[] = [
  WHOLE,
  ...[120, 60].map((remark) => ({ ...WHOLE, remark })),
  ...[400, 320, 250, 200, 160, 120, 90, 60, 40, 20].map((text) => ({ open: text, closed: text, remark: text / 5 })),
];

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts between characters as people see them: half an emoji is none. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = graphemes.segment(text.slice(0, limit + 64)).containing(limit - 1)?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}

const isBetween = (code: number, low: number, high: number) => code >= low && code <= high;

/**
 * Tokens of a text, rather too many than too few: latin text has 3.5 to 5 characters a token, digits and signs 1 to 2, other
 * scripts up to 1.5 tokens a character, emoji more. Checked against real tokenizers in the tests.
 */
export function boundTokens(text: string): number {
  let tokens = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 32) tokens += 0.05;
    else if (isBetween(code | 32, 97, 122)) tokens += 0.31;
    else if (code === 10 || isBetween(code, 48, 57)) tokens += 1.15;
    else if (code < 128) tokens += 0.8;
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

/** The lines under the first limits that keep them within the budget, or under the barest. Halving, as each look costs. */
function fitLines(
  budget: number,
  ladder: readonly Limits[],
  format: (limits: Limits) => string[],
): { lines: string[]; tokens: number; isWhole: boolean } {
  const under = (index: number) => {
    const limits = ladder[index] ?? WHOLE;
    const lines = format(limits);
    return { lines, tokens: boundTokens(lines.join('\n')), isWhole: limits === WHOLE };
  };
  const whole = under(0);
  if (whole.tokens <= budget) return whole;
  let [low, high] = [1, ladder.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (under(middle).tokens <= budget) high = middle;
    else low = middle + 1;
  }
  return under(low);
}

/** Where the agent is: the step in progress, the first open one, or the end. */
function currentIndex(tasks: readonly PlanStep[]): number {
  const begun = tasks.findIndex((step) => step.status === 'in_progress');
  const open = begun === -1 ? tasks.findIndex(isOpen) : begun;
  return open === -1 ? tasks.length - 1 : open;
}

/**
 * Null for an empty plan: an agent without a plan is not reminded of one. `tools`: those by which the agent reaches its plan; null in
 * a call that offers none, where nothing is said of them.
 */
export function planReminder(
  tasks: readonly PlanStep[],
  { isFirstStep, tools = 'todo' }: { isFirstStep: boolean; tools?: PlanToolsMode | null },
): string | null {
  const current = currentIndex(tasks);
  const step = tasks[current];
  if (step === undefined) return null;
  const closed = tasks.filter((one) => !isOpen(one)).length;
  const from = Math.max(0, current - SHOWN_BEFORE);
  const to = Math.min(tasks.length, current + SHOWN_AFTER);
  const before = tasks.slice(from, current);
  const after = tasks.slice(current + 1, to);
  const budget = Math.max(LEAST_TOKENS, (to - from) * TOKENS_PER_STEP);
  const own = fitLines(budget * CURRENT_SHARE, CURRENT_LIMITS, (limits) => [formatStep(step, current + 1, limits)]);
  const others = fitLines(budget - own.tokens, LIMITS, (limits) => [
    ...before.map((one, index) => formatStep(one, from + index + 1, limits)),
    ...after.map((one, index) => formatStep(one, current + index + 2, limits)),
  ]);
  const isShortened = !own.isWhole || !others.isWhole || to - from < tasks.length;
  return [
    `[Plan, ${closed} of ${tasks.length} closed]`,
    ...(from > 0 ? [`… ${from} earlier`] : []),
    ...others.lines.slice(0, before.length),
    ...own.lines,
    ...others.lines.slice(before.length),
    ...(to < tasks.length ? [`… ${tasks.length - to} more`] : []),
    ...(isShortened && tools !== null ? [SHORTENED] : []),
    ...(isFirstStep && tools !== null ? [tools === 'todo' ? RULES : ENTRY_RULES] : []),
  ].join('\n');
}
