/** The plan that a message carries: its steps as they were planned, its heading and milestones from the text. Pure. */
import type { PagedMessage } from '../../../../server/domains/messages/schema';

export type CardStep = NonNullable<PagedMessage['metadata']['planSteps']>[number];

export interface CardPlan {
  heading: string | null;
  milestones: readonly string[];
  steps: readonly CardStep[];
  /** `5 further steps were left out.` */
  remark: string | null;
}

/** Null when there is none with at least one step: then the message's Markdown is shown. */
export function readPlan({ content, metadata }: Pick<PagedMessage, 'content' | 'metadata'>): CardPlan | null {
  const steps = metadata.planSteps ?? [];
  if (steps.length === 0) return null;
  const named = (mark: RegExp) => [...content.matchAll(mark)].map((match) => match[1] ?? '');
  return {
    heading: named(/^# (.+)$/gm)[0] ?? null,
    milestones: named(/^## (.+)$/gm),
    steps,
    remark: /\n\*([^*\n]+)\*\s*$/.exec(content)?.[1] ?? null,
  };
}
