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

/** The plan in a message's metadata; null when there is none with at least one step: then its Markdown is shown. */
export function readPlan(metadata: unknown): CardPlan | null {
  const plan = isRecord(metadata) ? metadata.plan : null;
  if (!isRecord(plan) || !Array.isArray(plan.steps)) return null;
  const steps = plan.steps.map(readStep).filter((step) => step !== null);
  if (steps.length === 0) return null;
  const milestones = Array.isArray(plan.milestones)
    ? plan.milestones
        .map((value) => textOf(value) ?? (isRecord(value) ? firstText(value, ['text', 'title', 'name']) : null))
        .filter((text) => text !== null)
    : [];
  return { heading: firstText(plan, ['heading', 'title', 'goal']), milestones, steps };
}
