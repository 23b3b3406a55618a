/** What a plan message carries beside its Markdown, read with care: it was written by a model. Pure. */

export interface CardStep {
  text: string;
  /** `tool: web_fetch`, `agent: coder`, `self`; null when nobody was named. */
  executor: { kind: string; name: string | null } | null;
}

export interface CardPlan {
  heading: string | null;
  milestones: readonly string[];
  steps: readonly CardStep[];
  /** `5 further steps were left out.` */
  remark: string | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
/** The names under which a text may stand. */
const firstText = (record: Record<string, unknown>, keys: string[]): string | null =>
  keys.map((key) => textOf(record[key])).find((text) => text !== null) ?? null;

function readExecutor(value: unknown): CardStep['executor'] {
  const kind = textOf(value);
  if (kind !== null) return { kind, name: null };
  if (!isRecord(value)) return null;
  const named = textOf(value.kind);
  return named === null ? null : { kind: named, name: textOf(value.name) };
}

function readStep(value: unknown): CardStep | null {
  const plain = textOf(value);
  if (plain !== null) return { text: plain, executor: null };
  if (!isRecord(value)) return null;
  const text = firstText(value, ['text', 'title', 'description']);
  return text === null ? null : { text, executor: readExecutor(value.executor) };
}

/** `## ` lines of a plan's text name its milestones; a last line in asterisks is a remark about it. */
const milestonesIn = (content: string): string[] =>
  [...content.matchAll(/^##\s+(.+)$/gm)].map((match) => (match[1] ?? '').trim()).filter((text) => text !== '');
const remarkIn = (content: string): string | null => /\n\*([^*\n]+)\*\s*$/.exec(content)?.[1] ?? null;

/** The plan that a message carries; null when there is none with at least one step: then its Markdown is shown. */
export function readPlan(message: { content: string; metadata: unknown }): CardPlan | null {
  const metadata = isRecord(message.metadata) ? message.metadata : {};
  const plan = isRecord(metadata.plan) ? metadata.plan : {};
  const listed = [metadata.planSteps, plan.steps].find((steps) => Array.isArray(steps));
  const steps = Array.isArray(listed) ? listed.map(readStep).filter((step) => step !== null) : [];
  if (steps.length === 0) return null;
  const named = Array.isArray(plan.milestones)
    ? plan.milestones
        .map((value) => textOf(value) ?? (isRecord(value) ? firstText(value, ['text', 'title', 'name']) : null))
        .filter((text) => text !== null)
    : milestonesIn(message.content);
  return {
    heading: firstText(plan, ['heading', 'title', 'goal']),
    milestones: named,
    steps,
    remark: remarkIn(message.content),
  };
}
