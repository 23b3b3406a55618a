import { describe, expect, it } from 'vitest';
import { readPlan } from './read-plan';

describe('the plan in a message', () => {
  it('is read with who does each step, milestones and what was left out', () => {
    const planSteps = [
      { text: 'Read them', executor: { kind: 'tool', name: 'read_file' } },
      { text: 'Add up', executor: null },
    ];
    const content = '## Collected\n1. Read them *(tool: read_file)*\n2. Add up\n\n*5 further steps were left out.*';
    expect(readPlan({ content, metadata: { planSteps } })).toEqual({
      heading: null,
      milestones: ['Collected'],
      steps: planSteps,
      remark: '5 further steps were left out.',
    });
  });

  it('is read from a whole plan with heading and milestones as well', () => {
    const plan = {
      heading: 'Invoices',
      milestones: ['Collected', { text: 'Checked' }],
      steps: ['Read them', { text: 'Add up', executor: 'self' }],
    };
    expect(readPlan({ content: '', metadata: { plan } })).toEqual({
      heading: 'Invoices',
      milestones: ['Collected', 'Checked'],
      steps: [
        { text: 'Read them', executor: null },
        { text: 'Add up', executor: { kind: 'self', name: null } },
      ],
      remark: null,
    });
  });

  it('is none where nothing readable stands: the Markdown is shown then', () => {
    for (const metadata of [null, {}, { plan: 'text' }, { planSteps: [] }, { plan: { steps: [3, null, {}] } }]) {
      expect(readPlan({ content: '1. one', metadata })).toBeNull();
    }
  });
});
