/** What an agent's tools still write when their run is over: nothing (product §3). */
import { describe, expect, it } from 'vitest';
import { createUnitOfWork } from '../../database/transaction';
import type { Database } from '../../db';
import { createBus } from '../../events/bus';
import { createEventLog, LeaseLostError } from '../../events/log';
import { createEventStore } from '../../events/store';
import { systemClock } from '../../lib/clock';
import { newId } from '../../lib/ids';
import type { TestApp } from '../../testing/app';
import { callTools, createGate, say } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { killOwner, QUIET_LEASE_MS, useWorkers } from '../../testing/use-apps';
import { createPlanAccess } from '../todos/plan-access';
import { createSubagents } from './subagents/subagents';
import { createPlanTools } from './tools/plan-tools';
import { createProtocolTool } from './tools/protocol';
import { createSpawnAgentTool } from './tools/spawn-agent';
import { createTodoTool } from './tools/todo';
import type { Tool, ToolContext } from './tools/types';

/** A tool whose work is another tool's, done only when the test says so, whatever became of the call meanwhile. */
function createSleeper() {
  const gate = createGate();
  let wake: (work: (context: ToolContext) => Promise<unknown>) => Promise<unknown> = async () => undefined;
  const tool = createTestTool('sleeper', async (_input, context) => {
    wake = (work) => work(context);
    // It hears no signal.
    await gate.pass(new AbortController().signal);
    return { text: 'woken' };
  });
  return {
    tool,
    asleep: gate.reached,
    /** Does the work in the name of the call that fell asleep. */
    wakeTo: (work: (context: ToolContext) => Promise<unknown>) => wake(work),
    end: gate.open,
  };
}

describe('the tools of a run that is over', () => {
  const { open, databases } = useWorkers();

  /** The app's own tools, which a test cannot take out of it. */
  function toolOf(app: TestApp, name: string): Tool {
    const { services } = app;
    const database = databases[0] as Database;
    const plans = createPlanAccess({ todos: services.todos, clock: systemClock });
    const subagents = createSubagents({
      ...services,
      unitOfWork: createUnitOfWork(database),
      events: createEventLog({ store: createEventStore(database.prisma), bus: createBus() }),
      clock: systemClock,
      newId,
    });
    const tools = [
      createTodoTool(plans),
      ...createPlanTools(plans),
      createProtocolTool(services.protocols),
      createSpawnAgentTool({ subagents, profiles: [] }),
    ];
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`there is no tool ${name}`);
    return found;
  }

  it('a worker that slept through its lease changes no plan, starts and ends no protocol and opens no subagent', async () => {
    const sleeper = createSleeper();
    // A long lease, so that it does not notice by itself that it is thought dead.
    const owner = await open({ tools: [sleeper.tool], leaseMs: QUIET_LEASE_MS });
    const sessionId = await owner.newSession();
    owner.model.replies.push(
      callTools({ name: 'protocol', arguments: { action: 'start', protocol: 'research' } }),
      callTools({ name: 'sleeper' }),
    );
    await owner.send(sessionId, 'Work');
    await sleeper.asleep;
    await killOwner(databases[0] as Database, sessionId);
    const other = await open({ tools: [] });
    await expect.poll(async () => (await other.api.sessions.get({ sessionId })).runState).toBe('interrupted');
    other.model.replies.push(
      callTools({ name: 'todo', arguments: { action: 'add', text: 'of the second run' } }),
      say('Done.'),
    );
    await other.send(sessionId, 'And now you');
    await other.untilIdle(sessionId);
    const plan = await other.api.todos.get({ sessionId });
    expect(plan.tasks.at(-1)?.text).toBe('of the second run');

    const late = (name: string, input: Record<string, unknown>) =>
      sleeper.wakeTo((context) => toolOf(owner, name).run(input, context));
    for (const [name, input] of [
      ['todo', { action: 'add', text: 'late' }],
      ['todo', { action: 'update', index: 1, status: 'skipped' }],
      ['add_plan_entry', { content: 'late', priority: 'low' }],
      ['protocol', { action: 'start', protocol: 'fix-bug' }],
      ['protocol', { action: 'cancel', note: 'late' }],
      ['protocol', { action: 'finish' }],
      ['spawn_agent', { task: 'late', briefing: '' }],
    ] as const) {
      await expect(late(name, input), `${name} ${JSON.stringify(input)}`).rejects.toThrow(LeaseLostError);
    }
    sleeper.end();
    expect(await other.api.todos.get({ sessionId })).toEqual(plan);
    expect((await other.api.todos.protocols({ sessionId })).runs.map((run) => run.status)).toEqual(['active']);
    expect((await other.api.sessions.children({ sessionId })).items).toEqual([]);
    // What may be looked at may be looked at for ever.
    await expect(late('todo', { action: 'view' })).resolves.toMatchObject({
      metadata: { todoRevision: plan.revision },
    });
  });

  it('a tool that was given up after a stop changes the plan no more', async () => {
    const sleeper = createSleeper();
    const app = await open({ tools: [sleeper.tool] });
    const sessionId = await app.newSession();
    const { revision } = await app.api.todos.set({ sessionId, tasks: [{ text: 'as it was' }] });
    app.model.replies.push(callTools({ name: 'sleeper' }));
    await app.send(sessionId, 'Work');
    await sleeper.asleep;
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    await expect(sleeper.wakeTo((context) => toolOf(app, 'todo').run({ action: 'clear' }, context))).rejects.toThrow(
      LeaseLostError,
    );
    sleeper.end();
    expect(await app.api.todos.get({ sessionId })).toMatchObject({ revision, tasks: [{ text: 'as it was' }] });
  });
});
