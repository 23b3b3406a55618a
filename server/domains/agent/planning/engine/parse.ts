/** Reads what models answer in the planning phase. Forgiving in form, strict in substance: a plan has steps or is none. */
import type { PlannedStep } from '../../../todos/engine/plan';
import type { Executor } from '../../../todos/schema';
import { MAX_PLANNED_STEPS } from './prompts';

export type Analysis = { isDirect: true } | { isDirect: false; needsReview: boolean; text: string };

/** DIRECT counts when it is the answer, not when it is a word of one. */
export function parseAnalysis(answer: string): Analysis {
  const text = answer.trim();
  const bare = text.replace(/[*_`"'.!\s]/g, '').toUpperCase();
  if (bare === 'DIRECT' || /^\W*DIRECT\W*(\n|$)/.test(text)) return { isDirect: true };
  const reflect = /^\W*REFLECT\W*:\W*(yes|no)\b.*$/im;
  return {
    isDirect: false,
    needsReview: reflect.exec(text)?.[1]?.toLowerCase() === 'yes',
    text: text.replace(reflect, '').trim(),
  };
}

/** Who may be named; what is not on these lists is done by the agent itself. */
export interface KnownExecutors {
  tools: readonly string[];
  agents: readonly string[];
}

/** `# ` names the plan, deeper headings name its milestones. */
const headingLine = /^\s{0,3}(#{1,4})\s+(\S.*?)[\s#]*$/;
const stepLine = /^\s{0,8}(?:[-*]\s+)?(?:\*\*)?(?:step\s+)?(\d{1,2})[.):]\s*(\S.*)$/i;
/** In brackets, with a colon, or in capitals: "Ask the booking agent" and "Choose a tool" name nobody. */
const executorsAtEnd: readonly RegExp[] = [
  /[\s*—–-]*[([]\s*(TOOL|AGENT|SELF)\b\s*:?\s*([\w.:/-]*)\s*[)\]][\s*.]*$/i,
  /(?:^|[\s*—–-])[\s*—–-]*(TOOL|AGENT|SELF)\s*:\s*([\w.:/-]+)[\s*.]*$/i,
  /(?:^|[\s*—–-])[\s*—–-]*(TOOL|AGENT|SELF)\b\s*([\w.:/-]*)[\s*.]*$/,
];
/** A step's text is one line of a list; longer ones are prose that got numbered. */
const MAX_TEXT_CHARS = 300;
/** Of a heading or milestone: a few words. */
const MAX_NAME_CHARS = 80;

export interface ParsedPlan {
  heading: string | null;
  /** Each begins before a step (0-based). */
  milestones: { text: string; before: number }[];
  steps: PlannedStep[];
  /** Steps beyond the most that a plan may have. */
  dropped: number;
}

/** Null when there is no numbered step. */
export function parsePlan(answer: string, known: KnownExecutors): ParsedPlan | null {
  const steps: PlannedStep[] = [];
  const milestones: ParsedPlan['milestones'] = [];
  let heading: string | null = null;
  for (const line of answer.split('\n')) {
    const named = headingLine.exec(line);
    if (named !== null) {
      const text = shorten((named[2] ?? '').replace(/\*\*|`/g, '').trim(), MAX_NAME_CHARS);
      if (text === '') continue;
      if (named[1] === '#') heading ??= text;
      else milestones.push({ text, before: steps.length });
      continue;
    }
    const body = stepLine.exec(line)?.[2];
    if (body === undefined) continue;
    const match = executorsAtEnd.map((pattern) => pattern.exec(body)).find((found) => found !== null) ?? null;
    const text = (match === null ? body : body.slice(0, match.index)).replace(/\*\*/g, '').trim();
    if (text === '') continue;
    steps.push({
      text: shorten(text, MAX_TEXT_CHARS),
      executor: toExecutor(match?.[1], match?.[2], known),
    });
  }
  if (steps.length === 0) return null;
  const kept = steps.slice(0, MAX_PLANNED_STEPS);
  return {
    heading,
    // A heading without steps of its own, as of a remark behind the list, is none.
    milestones: milestones.filter(
      ({ before }, index) => before < kept.length && milestones[index + 1]?.before !== before,
    ),
    steps: kept,
    dropped: steps.length - kept.length,
  };
}

const shorten = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1).trimEnd()}…` : text;

function toExecutor(kind: string | undefined, name: string | undefined, known: KnownExecutors): Executor {
  const wanted = name ?? '';
  if (kind?.toUpperCase() === 'TOOL' && known.tools.includes(wanted)) return { kind: 'tool', name: wanted };
  // A subagent without a profile is one of the first that there are.
  const agent = wanted === '' ? known.agents[0] : known.agents.find((id) => id === wanted);
  if (kind?.toUpperCase() === 'AGENT' && agent !== undefined) return { kind: 'agent', name: agent };
  return { kind: 'self', name: null };
}

/** The plan card's text: what a search finds, an export shows, and the card reads its heading and milestones from. */
export function formatPlanCard({ heading, milestones, steps, dropped }: ParsedPlan): string {
  const lines = steps.flatMap(({ text, executor }, index) => {
    const who = executor === null || executor.kind === 'self' ? '' : ` *(${executor.kind}: ${executor.name})*`;
    const begun = milestones.filter(({ before }) => before === index).map((milestone) => `## ${milestone.text}`);
    return [...begun, `${index + 1}. ${text}${who}`];
  });
  return [
    ...(heading === null ? [] : [`# ${heading}`]),
    ...lines,
    ...(dropped > 0 ? ['', `*${dropped} further steps were left out.*`] : []),
  ].join('\n');
}
