/** The words of the planning phase. Each goes to the tail of a prompt whose head is that of every other call. */
export type PlanningPhase = 'analysis' | 'review' | 'plan';

/** Most steps of a plan (product §7). */
export const MAX_PLANNED_STEPS = 15;

/** How each phase is announced; people see it. */
export const phaseLabels: Readonly<Record<PlanningPhase, string>> = {
  analysis: 'Looking at the task',
  review: 'Taking a second look',
  plan: 'Writing the plan',
};

const NOT_YET = 'Do not do the task yet and call no tools: this is about planning it.';

export interface PlanningMaterial {
  /** The person asked for a plan, so there is no question whether one is needed. */
  isAskedFor: boolean;
  /** The plan that is shown before the prompt is half done. */
  isUnderWay: boolean;
  analysis: string | null;
  review: string | null;
  /** Names of the tools that the run offers. */
  tools: readonly string[];
  /** Profiles that a subagent can run under; empty when there are no subagents. */
  agents: readonly { id: string; description: string }[];
}

export function planningPrompt(phase: PlanningPhase, material: PlanningMaterial): string {
  switch (phase) {
    case 'analysis':
      return [
        '[Planning: analysis]',
        `Look at what the person asks for now. ${NOT_YET}`,
        ...(material.isAskedFor
          ? []
          : [
              'If it needs no plan (a question, a remark, one or two simple actions), answer with the single word DIRECT.',
            ]),
        ...(material.isUnderWay ? ['The plan above is under way: say what the request means for it.'] : []),
        'Otherwise write at most 200 words: the goal; what is known; what is unclear or risky; how it will be known that it is done.',
        'End with the line "REFLECT: yes" if a second look is worth its time (much at stake, many parts, unclear), else "REFLECT: no".',
      ].join('\n');
    case 'review':
      return [
        '[Planning: review]',
        `Look at the analysis from three sides. ${NOT_YET} At most 250 words, under these headings:`,
        'Critic: what is wrong or missing, what can fail.',
        'Pragmatist: what can be left out, what is the shortest way to a result that holds.',
        'Detailer: which details decide.',
        'Plan adjustments: what the plan must therefore do.',
        ...given(material),
      ].join('\n');
    case 'plan':
      return [
        '[Planning: plan]',
        `Write the plan. ${NOT_YET}`,
        `A numbered list, one line for each step, in order: 1 to 3 steps for a small task, 5 to 9 for most, never more than ${MAX_PLANNED_STEPS}.`,
        'Each step says what is done so that one can tell when it is. End each line with who does it:',
        `[TOOL: name] for one tool (${material.tools.join(', ') || 'there are none'}),`,
        ...(material.agents.length === 0
          ? []
          : [
              `[AGENT: profile] for a subagent with a task of its own (${material.agents.map(({ id, description }) => `${id}: ${description}`).join('; ')}),`,
            ]),
        '[SELF] for thinking and writing.',
        ...(material.isUnderWay
          ? [
              'The plan above is under way. Its closed steps and the one in progress stay in the list: write only what is left to do after them.',
              "A pending step of it that still holds: repeat its words. One that you leave out goes, unless it is the person's or a protocol's.",
            ]
          : []),
        'The first line may name the plan: "# " and at most eight words. Lines that begin with "## " may name the milestones that the steps below them lead to. Nothing else after the list.',
        ...given(material),
      ].join('\n');
  }
}

function given({ analysis, review }: PlanningMaterial): string[] {
  return [
    ...(analysis === null ? [] : ['', 'The analysis:', analysis]),
    ...(review === null ? [] : ['', 'The review:', review]),
  ];
}
