import { describe, expect, it } from 'vitest';
import { readPlan } from './read-plan';

describe('the plan in a message', () => {
  it('is read with heading, milestones and who does each step', () => {
    const plan = {
      heading: 'Invoices',
      milestones: ['Collected', { text: 'Checked' }],
      steps: [
        { text: 'Read them', executor: { kind: 'tool', name: 'read_file' } },
        { text: 'Add up', executor: 'self' },
      ],
    };
    expect(readPlan({ plan })).toEqual({
      heading: 'Invoices',
      milestones: ['Collected', 'Checked'],
      steps: [
        { text: 'Read them', executor: { kind: 'tool', name: 'read_file' } },
        { text: 'Add up', executor: { kind: 'self', name: null } },
      ],
    });
  });

  it('is none where nothing readable stands: the Markdown is shown then', () => {
    for (const metadata of [null, {}, { plan: 'text' }, { plan: { steps: [] } }, { plan: { steps: [3, null, {}] } }]) {
      expect(readPlan(metadata)).toBeNull();
    }
  });
});
