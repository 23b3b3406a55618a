import { type Scenario, say, think } from '../turn';
import { PLAN_STEPS } from './plan-work';

/** Answers the calls of a planning phase: what is asked for stands in the notices of the prompt, not in the person's words. */
export const planning: Scenario = {
  name: 'planning',
  matches: ({ noticeText }) => /\[Planning: (analysis|review|plan)\]/.test(noticeText),
  play(turn) {
    const phase = /\[Planning: (analysis|review|plan)\]/.exec(turn.noticeText)?.[1];
    if (phase === 'analysis') {
      const isSmall = turn.userText.length < 25 && !/\bplan\b/i.test(turn.userText) && /DIRECT/.test(turn.noticeText);
      if (isSmall) return [think('A short remark. It needs no plan.'), say('DIRECT')];
      return [
        think('What is wanted, what is known, how will it be known that it is done?'),
        say(
          [
            `Goal: ${turn.userText.replace(/\s+/g, ' ').slice(0, 160)}`,
            'Known: the workspace and its tools.',
            'Unclear: nothing that keeps the work from beginning.',
            'Done when: the report is written and was read back.',
            'REFLECT: yes',
          ].join('\n'),
        ),
      ];
    }
    if (phase === 'review') {
      return [
        say(
          [
            'Critic: a report that nobody reads back may be empty.',
            'Pragmatist: one file is enough.',
            'Detailer: its path must be said.',
            'Plan adjustments: read the file back before the end.',
          ].join('\n'),
        ),
      ];
    }
    const steps = PLAN_STEPS.map(({ text, tool }, index) => `${index + 1}. ${text} [TOOL: ${tool}]`);
    const plan = [
      '# A short report',
      '## Prepared',
      ...steps.slice(0, 2),
      '## Written and read back',
      ...steps.slice(2),
    ];
    return [think('In which order? Looking comes before writing, and reading back after it.'), say(plan.join('\n'))];
  },
};
