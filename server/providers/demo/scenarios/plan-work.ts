import { call, DEMO_NOTE, type DemoPart, type DemoTurn, quote, type Scenario, say, think } from '../turn';

const REPORT = 'demo/plan-report.md';

/** What the demo plans, with the call that does it and how its result is checked. */
export const PLAN_STEPS = [
  {
    text: 'Look around in the workspace',
    tool: 'list_files',
    arguments: {},
    validation: 'list_files answered with the folder',
  },
  {
    text: 'Note the goal in the scratchpad',
    tool: 'scratchpad',
    arguments: { action: 'write', section: 'demo-plan', content: 'A report that was read back.' },
    validation: 'the scratchpad confirmed the section',
  },
  {
    text: 'Write the report',
    tool: 'write_file',
    arguments: { path: REPORT, content: '# Report\n\nWritten by the demo model, step by step, after a plan.\n' },
    validation: `write_file confirmed ${REPORT}`,
  },
  {
    text: 'Read the report back',
    tool: 'read_file',
    arguments: { path: REPORT },
    validation: 'the text is the one that was written',
  },
] as const;

interface ShownStep {
  /** 1-based. */
  position: number;
  status: 'open' | 'begun' | 'closed';
  text: string;
}

/** The plan as the reminder at the end of the prompt shows it. */
function readPlan(noticeText: string): ShownStep[] {
  const from = noticeText.lastIndexOf('[Plan, ');
  if (from === -1) return [];
  return [...noticeText.slice(from).matchAll(/^(\d+)\. ([○◎✓✗—]) (.*)$/gm)].map((match) => ({
    position: Number(match[1]),
    status: match[2] === '○' ? 'open' : match[2] === '◎' ? 'begun' : 'closed',
    text: (match[3] ?? '').replace(/ (\(high\)|\(the person's\)|\(agent: .*\)|\[.*\])(?= |$)/g, '').trim(),
  }));
}

const hasOpen = (plan: readonly ShownStep[]) => plan.some((step) => step.status !== 'closed');
const isOurs = (plan: readonly ShownStep[]) => plan.some((step) => step.text === PLAN_STEPS[0].text);
const hasBegun = (turn: DemoTurn) => turn.results.some((result) => result.tool === 'todo');

/**
 * Plans, then works through the plan with its todo tool. It goes by the plan as it is shown, not by what it remembers: steps
 * that a person adds are done too, ticked ones are passed over, and after a crash it goes on where the plan stands.
 */
export const planWork: Scenario = {
  name: 'plan-work',
  matches(turn) {
    if (!turn.hasTool('todo')) return false;
    const plan = readPlan(turn.noticeText);
    if (hasBegun(turn)) return true;
    if (hasOpen(plan) && (isOurs(plan) || /\b(go on|continue|resume|next)\b/i.test(turn.userText))) return true;
    return /\bplan\b/i.test(turn.userText);
  },
  play(turn) {
    const plan = readPlan(turn.noticeText);
    if (!hasOpen(plan)) {
      if (hasBegun(turn)) return [say(report(turn, plan))];
      return [
        think('This takes more than one step, so I make a plan first. The person sees it and may change it.'),
        say(`I plan this in ${PLAN_STEPS.length} steps and tick them off as I go.`),
        call('todo', { action: 'set', tasks: PLAN_STEPS.map((step) => step.text) }),
      ];
    }
    const begun = plan.find((step) => step.status === 'begun');
    if (begun !== undefined) return finishStep(turn, begun);
    const next = plan.find((step) => step.status === 'open');
    return next === undefined ? [say(report(turn, plan))] : beginStep(turn, next);
  },
};

function beginStep(turn: DemoTurn, step: ShownStep): DemoPart[] {
  const known = PLAN_STEPS.find((one) => one.text === step.text && turn.hasTool(one.tool));
  return [
    say(`Step ${step.position}: ${step.text}.`),
    call('todo', { action: 'update', index: step.position, status: 'in_progress' }),
    ...(known === undefined ? [] : [call(known.tool, { ...known.arguments })]),
  ];
}

function finishStep(turn: DemoTurn, step: ShownStep): DemoPart[] {
  const known = PLAN_STEPS.find((one) => one.text === step.text);
  const last = turn.results.findLast((result) => result.tool === known?.tool);
  if (known !== undefined && last?.isError === true) {
    const note = last.text.replace(/\s+/g, ' ').slice(0, 120);
    return [call('todo', { action: 'update', index: step.position, status: 'failed', note })];
  }
  const validation = known?.validation ?? 'looked at it; the demo model can do no more';
  return [
    think(`Is step ${step.position} really done? Checked: ${validation}.`),
    call('todo', { action: 'update', index: step.position, status: 'done', validation }),
  ];
}

function report(turn: DemoTurn, plan: readonly ShownStep[]): string {
  const read = turn.results.findLast((result) => result.tool === 'read_file');
  return [
    `All ${plan.length} steps of the plan are closed. Each says how it was checked.`,
    ...(read === undefined ? [] : ['', `The report lies in \`${REPORT}\`:`, '', quote(read)]),
    DEMO_NOTE,
  ].join('\n');
}
