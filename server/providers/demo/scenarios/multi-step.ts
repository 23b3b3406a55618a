import { call, DEMO_NOTE, type DemoPart, type DemoTurn, type Scenario, say, think } from '../turn';

const REPORT = 'demo/report.md';

interface Task {
  /** What is done, for the person. */
  label: string;
  /** Calls of one step; those that go together are made at once. */
  calls: { tool: string; arguments: Record<string, unknown> }[];
}

const TASKS: readonly Task[] = [
  {
    label: 'look at the clock and at the workspace',
    calls: [
      { tool: 'current_time', arguments: {} },
      { tool: 'list_files', arguments: {} },
    ],
  },
  {
    label: 'note the goal',
    calls: [
      {
        tool: 'scratchpad',
        arguments: {
          action: 'write',
          section: 'demo-goal',
          content: 'Write a short report, read it back, and say what was done.',
        },
      },
    ],
  },
  {
    label: 'write a report',
    calls: [
      {
        tool: 'write_file',
        arguments: {
          path: REPORT,
          content:
            '# Report\n\nWritten step by step by the demo model.\n\n- looked around\n- noted the goal\n- wrote this file\n',
        },
      },
    ],
  },
  { label: 'read it back', calls: [{ tool: 'read_file', arguments: { path: REPORT } }] },
  { label: 'search for it', calls: [{ tool: 'search_files', arguments: { query: 'step by step' } }] },
];

/** Works through a task with several tools, one step after the other; only with tools that are offered. */
export const multiStep: Scenario = {
  name: 'multi-step',
  // "How does this work?" asks for words, not for work.
  matches: ({ userText }) =>
    /\b(steps?|work|plan an?|plan the|task)\b/i.test(userText) && !/\bhow\b[^.!\n]*\bworks?\b/i.test(userText),
  play(turn) {
    const tasks = offered(turn);
    if (tasks.length === 0) {
      return [say(`This would take several steps, but this profile offers none of the tools for them.${DEMO_NOTE}`)];
    }
    let done = 0;
    let results = turn.results.length;
    while (done < tasks.length && results >= (tasks[done]?.calls.length ?? 0)) {
      results -= tasks[done]?.calls.length ?? 0;
      done++;
    }
    const next = tasks[done];
    if (next === undefined) return [say(report(turn, tasks))];
    return [...lead(done, tasks), ...next.calls.map((one) => call(one.tool, one.arguments))];
  },
};

function offered(turn: DemoTurn): Task[] {
  return TASKS.map((task) => ({ ...task, calls: task.calls.filter((one) => turn.hasTool(one.tool)) })).filter(
    (task) => task.calls.length > 0,
  );
}

function lead(done: number, tasks: Task[]): DemoPart[] {
  const label = tasks[done]?.label ?? '';
  if (done > 0) return [think(`Step ${done} is done. Next: ${label}.`), say(`Step ${done + 1}: I ${label}.`)];
  const list = tasks.map((task, index) => `${index + 1}. ${task.label}`).join('\n');
  return [
    think('This takes more than one step. I set out the steps first, then go through them and check each result.'),
    say(`I will do this in ${tasks.length} steps:\n\n${list}\n\nStep 1: I ${label}.`),
  ];
}

function report(turn: DemoTurn, tasks: Task[]): string {
  const rows = turn.results.map((result) => {
    const line = result.text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim().slice(0, 60);
    return `| \`${result.tool}\` | ${result.isError ? 'failed' : 'done'} | ${line} |`;
  });
  const failed = turn.results.filter((result) => result.isError).length;
  return [
    failed === 0
      ? `## All ${tasks.length} steps are done`
      : `## Finished, with ${failed} of ${turn.results.length} calls failed`,
    '',
    '| Tool | Outcome | Result |',
    '| --- | --- | --- |',
    ...rows,
    DEMO_NOTE,
  ].join('\n');
}
