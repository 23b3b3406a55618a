import { describe, expect, it } from 'vitest';
import { formatPlanCard, parsePlan } from '../../../../server/domains/agent/planning/engine/parse';
import { readPlan } from './read-plan';

/** A plan as the server stores it, from what a model says. */
function cardOf(answer: string) {
  const plan = parsePlan(answer, { tools: ['read_file'], agents: [] });
  if (plan === null) throw new Error('no plan');
  return { content: formatPlanCard(plan), metadata: { planSteps: plan.steps } };
}

describe('the plan in a message', () => {
  it('is read with its heading, its milestones, who does each step and what was left out', () => {
    const more = Array.from({ length: 18 }, (_, index) => `${index + 3}. More`);
    const answer = ['# Invoices', '## Collected', '1. Read them [TOOL: read_file]', '2. Add up', '## Checked', ...more];
    const plan = readPlan(cardOf(answer.join('\n')));
    expect(plan).toMatchObject({
      heading: 'Invoices',
      milestones: ['Collected', 'Checked'],
      remark: '5 further steps were left out.',
    });
    expect(plan?.steps.slice(0, 2)).toEqual([
      { text: 'Read them', executor: { kind: 'tool', name: 'read_file' } },
      { text: 'Add up', executor: { kind: 'self', name: null } },
    ]);
    expect(plan?.steps).toHaveLength(15);
  });

  it('needs neither heading nor milestones', () => {
    expect(readPlan(cardOf('1. Read them'))).toMatchObject({ heading: null, milestones: [], remark: null });
  });

  it('is none where no steps stand: the Markdown is shown then', () => {
    for (const metadata of [{}, { planSteps: [] }]) expect(readPlan({ content: '# A\n1. one', metadata })).toBeNull();
  });
});
