import { describe, expect, it } from 'vitest';
import { formatPlanCard, parseAnalysis, parsePlan } from './parse';
import { MAX_PLANNED_STEPS, planningPrompt } from './prompts';

const known = { tools: ['web_fetch', 'read_file'], agents: ['coder'] };

describe('the analysis', () => {
  it.each(['DIRECT', '**DIRECT**', ' direct.\n', '"Direct"', 'DIRECT\nIt is one question.'])(
    '%j needs no plan',
    (answer) => {
      expect(parseAnalysis(answer)).toEqual({ isDirect: true });
    },
  );

  it.each([
    ['The direct way is best.\nREFLECT: no', false, 'The direct way is best.'],
    ['Goal: x\n**REFLECT: Yes**', true, 'Goal: x'],
    ['Goal: x\nreflect:yes, because of the risk', true, 'Goal: x'],
    ['Goal: x', false, 'Goal: x'],
  ])('%j is a task', (answer, needsReview, text) => {
    expect(parseAnalysis(answer)).toEqual({ isDirect: false, needsReview, text });
  });
});

describe('the plan', () => {
  it('is read from the many ways in which models number and name who does it', () => {
    const parsed = parsePlan(
      [
        'Here is the plan:',
        '## Milestone 1',
        '1. Fetch the page [TOOL: web_fetch]',
        '2) **Read the file** (TOOL: read_file).',
        '- 3. Write the code — AGENT: coder',
        'Step 4: Think about it [SELF]',
        '5. Call what is not there [TOOL: rm_rf]',
        '6. Ask somebody [AGENT: nobody]',
        '7. Check the TOOL for errors',
        '   8. Indented',
        '9.',
        'Done.',
      ].join('\n'),
      known,
    );
    expect(parsed?.steps).toEqual([
      { text: 'Fetch the page', executor: { kind: 'tool', name: 'web_fetch' } },
      { text: 'Read the file', executor: { kind: 'tool', name: 'read_file' } },
      { text: 'Write the code', executor: { kind: 'agent', name: 'coder' } },
      { text: 'Think about it', executor: { kind: 'self', name: null } },
      { text: 'Call what is not there', executor: { kind: 'self', name: null } },
      { text: 'Ask somebody', executor: { kind: 'self', name: null } },
      { text: 'Check the TOOL for errors', executor: { kind: 'self', name: null } },
      { text: 'Indented', executor: { kind: 'self', name: null } },
    ]);
  });

  it('keeps the words of a step that speaks of tools and agents without naming one', () => {
    const parsed = parsePlan(
      [
        '1. Ask the booking agent',
        '2. Choose a tool',
        '3. Write about the tool web_fetch',
        '4. Improve yourself — self',
        '5. Compare both years [AGENT]',
        '6. Fetch it - tool: web_fetch',
      ].join('\n'),
      known,
    );
    expect(parsed?.steps).toEqual([
      { text: 'Ask the booking agent', executor: { kind: 'self', name: null } },
      { text: 'Choose a tool', executor: { kind: 'self', name: null } },
      { text: 'Write about the tool web_fetch', executor: { kind: 'self', name: null } },
      { text: 'Improve yourself — self', executor: { kind: 'self', name: null } },
      { text: 'Compare both years', executor: { kind: 'agent', name: 'coder' } },
      { text: 'Fetch it', executor: { kind: 'tool', name: 'web_fetch' } },
    ]);
  });

  it('has at most fifteen steps and says how many were left out', () => {
    const parsed = parsePlan(Array.from({ length: 20 }, (_, index) => `${index + 1}. step`).join('\n'), known);
    expect([parsed?.steps.length, parsed?.dropped]).toEqual([MAX_PLANNED_STEPS, 5]);
    expect(parsed === null ? '' : formatPlanCard(parsed)).toContain('*5 further steps were left out.*');
  });

  it.each(['', 'I cannot plan this.', '- a\n- b', 'In 1999 it began.'])('%j is none', (answer) => {
    expect(parsePlan(answer, known)).toBeNull();
  });

  it('is shown with who does each step', () => {
    const steps = [
      { text: 'a', executor: { kind: 'tool' as const, name: 'web_fetch' } },
      { text: 'b', executor: null },
    ];
    expect(formatPlanCard({ heading: null, milestones: [], steps, dropped: 0 })).toBe('1. a *(tool: web_fetch)*\n2. b');
  });

  it('has a heading and milestones when the model names some, each before its steps', () => {
    const answer = [
      '# **Yearly** report #',
      '',
      '## Nothing yet',
      '### Collected',
      '1. Read the notes [TOOL: read_file]',
      '2. Add them up',
      `## ${'word '.repeat(30)}`,
      '3. Write',
      '## Notes',
      'Nothing to note.',
    ].join('\n');
    const parsed = parsePlan(answer, known);
    expect(parsed?.heading).toBe('Yearly report');
    expect(parsed?.milestones.map(({ before }) => before)).toEqual([0, 2]);
    const card = parsed === null ? '' : formatPlanCard(parsed);
    expect(card.split('\n')).toEqual([
      '# Yearly report',
      '## Collected',
      '1. Read the notes *(tool: read_file)*',
      '2. Add them up',
      expect.stringMatching(/^## word .{60,76}…$/),
      '3. Write',
    ]);
    // A milestone of steps that were left out is none.
    const long = Array.from({ length: 20 }, (_, index) => `## M${index + 1}\n${index + 1}. step`).join('\n');
    expect(parsePlan(long, known)?.milestones).toHaveLength(MAX_PLANNED_STEPS);
  });

  it('is asked for with what came before, and DIRECT is no way out for a person who asked for a plan', () => {
    const material = { isAskedFor: false, isUnderWay: false, analysis: 'A', review: 'R', tools: ['t'], agents: [] };
    expect(planningPrompt('analysis', material)).toContain('DIRECT');
    expect(planningPrompt('analysis', { ...material, isAskedFor: true })).not.toContain('DIRECT');
    expect(planningPrompt('plan', material)).toMatch(/The analysis:\nA\n\nThe review:\nR$/);
    expect(planningPrompt('plan', material)).not.toContain('[AGENT');
    for (const phase of ['analysis', 'plan'] as const) {
      expect(planningPrompt(phase, material)).not.toContain('under way');
      expect(planningPrompt(phase, { ...material, isUnderWay: true })).toContain('The plan above is under way');
    }
  });
});
