import { expect, it } from 'vitest';
import type { ModelCallInput } from '../../../providers/types';
import type { TestApp } from '../../../testing/app';
import { describeEachEngine } from '../../../testing/database';
import { callTools, createGate, type Gate, type Reply, say } from '../../../testing/scripted-model';
import { killOwner, QUIET_LEASE_MS, useApps } from '../../../testing/use-apps';
import { coderProfile, defaultProfile } from '../../profiles/built-in';
import { asSubagent, SUBAGENT_LIMITS } from './as-subagent';

/** The person's words and the tool results of the turn: what a script goes by. */
const isSubagent = (input: ModelCallInput) => JSON.stringify(input.prompt[0]).includes('working as a subagent');
const lastRole = (input: ModelCallInput) => input.prompt.findLast((message) => message.role !== 'user')?.role;
const spawn = (...tasks: Record<string, unknown>[]): Reply =>
  callTools(...tasks.map((task, index) => ({ name: 'spawn_agent', id: `spawn-${index}`, arguments: task })));

/** A parent that spawns once and then says what came back; children answer with `child`. */
function script(app: TestApp, tasks: Record<string, unknown>[], child: Reply): void {
  app.model.fallback = (input) => {
    if (input.tools.length === 0) return say('Name')(input);
    if (isSubagent(input)) return child(input);
    return lastRole(input) === 'tool' ? say('Thanks.')(input) : spawn(...tasks)(input);
  };
}

const waitAt = (gate: Gate, text: string): Reply =>
  async function* (input) {
    yield { type: 'text-delta', text };
    await gate.pass(input.signal);
    yield* say(' and done.')(input);
  };

describeEachEngine('subagents', (getDatabase) => {
  const open = useApps(getDatabase);
  const childrenOf = async (app: TestApp, sessionId: string) => (await app.api.sessions.children({ sessionId })).items;
  const toolResults = async (app: TestApp, sessionId: string) =>
    (await app.api.messages.page({ sessionId, limit: 100 })).messages.filter((message) => message.role === 'tool');

  it('work in a session of their own, with their own context, plan and notes, and answer with their result', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.todos.set({ sessionId, tasks: [{ text: "the parent's step" }] });
    script(app, [{ task: 'Count the files', briefing: 'In /src only.' }], (input) =>
      lastRole(input) === 'tool'
        ? say('There are 7.')(input)
        : callTools({ name: 'todo', arguments: { action: 'set', tasks: ['count'] } })(input),
    );
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'How many files? SECRET-OF-THE-PARENT');
    await app.untilIdle(sessionId);
    const [child] = await childrenOf(app, sessionId);
    expect(child).toMatchObject({
      name: 'Count the files',
      profileId: 'default',
      runState: 'idle',
      toolCallId: 'spawn-0',
    });
    const childId = child?.id ?? '';
    const [result] = await toolResults(app, sessionId);
    expect(result).toMatchObject({
      content: 'There are 7.',
      metadata: { childSessionId: childId, subagentStatus: 'done', steps: 2, toolCalls: 1, toolStatus: 'done' },
    });
    // Its own context: nothing of the parent but task and briefing; its own plan; the parent's is as it was.
    const childCalls = app.model.calls.filter(isSubagent);
    expect(JSON.stringify(childCalls)).not.toContain('SECRET-OF-THE-PARENT');
    expect(JSON.stringify(childCalls[0]?.prompt)).toContain('Count the files\\n\\nBriefing:\\nIn /src only.');
    expect((await app.api.todos.get({ sessionId: childId })).tasks.map((step) => step.text)).toEqual(['count']);
    expect(await app.api.todos.get({ sessionId })).toMatchObject({
      revision: 1,
      tasks: [{ text: "the parent's step" }],
    });
    // Live progress names the child, so that its steps can be watched.
    await watcher.until((event) => event.kind === 'run-end');
    const progress = watcher.events.flatMap(({ event }) => (event.kind === 'tool-progress' ? [event] : []));
    expect(progress.map((event) => event.text)).toEqual(['Started', 'Step 1', 'Step 1: todo', 'Step 2']);
    expect(new Set(progress.map((event) => event.childSessionId))).toEqual(new Set([childId]));
    await watcher.stop();
    // Not listed.
    expect((await app.api.sessions.list()).items.map((item) => item.id)).toEqual([sessionId]);
    // Exported with the parent.
    const markdown = await app.api.sessions.export({ sessionId, format: 'markdown' });
    expect(markdown.content).toContain('# Subagent: Count the files');
    expect(markdown.content).toContain('There are 7.');
    const json = JSON.parse((await app.api.sessions.export({ sessionId, format: 'json' })).content);
    expect(json.children).toMatchObject([{ id: childId, toolCallId: 'spawn-0', children: [] }]);
    // Each with its own plan.
    const { sessionId: _id, ...parentPlan } = await app.api.todos.get({ sessionId });
    expect(json.plan).toEqual(parentPlan);
    expect(json.children[0].plan).toMatchObject({ revision: 1, tasks: [{ text: 'count' }] });
    expect(markdown.content).toContain("## Plan\n\n- [ ] the parent's step\n");
    expect(markdown.content).toContain('## Plan\n\n- [ ] count\n');
  });

  it('of one step are at work side by side, at most three, and their results stand in the order of the calls', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gates = new Map(['A', 'B', 'C', 'D'].map((name) => [name, createGate()]));
    const nameOf = (input: ModelCallInput) => /letter (\w)/.exec(JSON.stringify(input.prompt))?.[1] ?? '';
    script(
      app,
      ['A', 'B', 'C', 'D'].map((name) => ({ task: `the letter ${name}` })),
      (input) => waitAt(gates.get(nameOf(input)) ?? createGate(), nameOf(input))(input),
    );
    const first = app.watch(sessionId);
    await app.send(sessionId, 'All of it');
    const reached = (name: string) => gates.get(name)?.reached;
    await Promise.all(['A', 'B', 'C'].map(reached));
    expect(await childrenOf(app, sessionId)).toHaveLength(SUBAGENT_LIMITS.atOnce);
    for (const id of ['spawn-0', 'spawn-1', 'spawn-2']) {
      await first.until((event) => event.kind === 'tool-progress' && event.toolCallId === id);
    }
    await first.stop();
    // A subscriber that joins now learns where the work is done.
    const watcher = app.watch(sessionId);
    const snapshot = await watcher.until((event) => event.kind === 'snapshot');
    expect(snapshot).toMatchObject({
      run: { toolCalls: [{ childSessionId: expect.any(String) }, {}, { childSessionId: expect.any(String) }] },
    });
    await watcher.stop();
    for (const name of ['C', 'B', 'A', 'D']) gates.get(name)?.open();
    await app.untilIdle(sessionId);
    expect((await toolResults(app, sessionId)).map((message) => message.content)).toEqual(
      ['A', 'B', 'C', 'D'].map((name) => `${name} and done.`),
    );
  });

  it('stop with their parent, whatever their depth, and from another worker too', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.fallback = (input) => {
      if (JSON.stringify(input.prompt).includes('the inner task')) return waitAt(gate, 'deep')(input);
      return isSubagent(input) ? spawn({ task: 'the inner task' })(input) : spawn({ task: 'the outer one' })(input);
    };
    await app.send(sessionId, 'Go');
    await gate.reached;
    // On the embedded engine signals do not cross workers: there is one.
    const stopper = getDatabase().engine === 'postgres' ? await open() : app;
    await stopper.api.runs.stop({ sessionId });
    const ids = [sessionId];
    for (const id of ids) ids.push(...(await childrenOf(app, id)).map((child) => child.id));
    expect(ids).toHaveLength(3);
    await Promise.all(ids.map((id) => app.untilIdle(id)));
    const { prisma } = getDatabase();
    const runs = await prisma.sessionRun.findMany({ where: { sessionId: { in: ids } } });
    expect(runs.map((run) => run.status)).toEqual(['stopped', 'stopped', 'stopped']);
    expect((await toolResults(app, sessionId)).map((message) => message.metadata.toolStatus)).toEqual(['stopped']);
    expect((await app.api.messages.page({ sessionId: ids[2] ?? '' })).messages.at(-1)).toMatchObject({
      content: 'deep',
      metadata: { stopped: true },
    });
  });

  it('go no deeper than two, and the deepest is not offered the tool', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.fallback = (input) => {
      if (input.tools.length === 0) return say('Name')(input);
      const canSpawn = input.tools.some((tool) => tool.name === 'spawn_agent');
      if (canSpawn && lastRole(input) !== 'tool') return spawn({ task: 'deeper' })(input);
      return say(canSpawn ? 'back' : 'bottom')(input);
    };
    await app.send(sessionId, 'Go');
    await app.untilIdle(sessionId);
    expect(await app.services.sessions.listDescendants(sessionId)).toHaveLength(SUBAGENT_LIMITS.maxDepth);
    expect((await toolResults(app, sessionId)).map((message) => message.content)).toEqual(['back']);
  });

  it('that fail, or are asked for under a profile that is not there, are a failed call with the reason', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    script(app, [{ task: 'x', profile: 'nobody' }], say('never'));
    await app.send(sessionId, 'Go');
    await app.untilIdle(sessionId);
    expect((await toolResults(app, sessionId))[0]).toMatchObject({
      content: 'There is no profile "nobody".',
      metadata: { toolStatus: 'failed' },
    });
    expect(await childrenOf(app, sessionId)).toEqual([]);
    const other = await app.newSession();
    script(app, [{ task: 'x', profile: 'coder' }], callTools({ name: 'todo', arguments: { action: 'view' } }));
    await app.send(other, 'Go');
    await app.untilIdle(other);
    const [result] = await toolResults(app, other);
    expect(result?.content).toMatch(
      /^The subagent did not come to an end: Stopped after 40 steps .* It said nothing\.$/,
    );
    expect(result?.metadata).toMatchObject({
      toolStatus: 'failed',
      subagentStatus: 'failed',
      steps: 40,
      profileId: 'coder',
    });
  });

  it('are settled with their parent when the server dies, each once, and the parent can be resumed', async () => {
    // A long lease, so that it does not notice by itself that it is dead.
    const dead = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await dead.newSession();
    const gate = createGate();
    script(dead, [{ task: 'long work' }], waitAt(gate, 'half'));
    await dead.send(sessionId, 'Go');
    await gate.reached;
    const [child] = await childrenOf(dead, sessionId);
    const childId = child?.id ?? '';
    await expect
      .poll(
        async () =>
          await getDatabase().prisma.sessionEvent.count({ where: { sessionId: childId, kind: 'text-delta' } }),
      )
      .toBe(1);
    await killOwner(getDatabase(), sessionId);
    await killOwner(getDatabase(), childId);
    const survivor = await open();
    for (const id of [sessionId, childId]) {
      await expect.poll(async () => (await survivor.api.sessions.get({ sessionId: id })).runState).toBe('interrupted');
      const ends = await getDatabase().prisma.sessionEvent.count({ where: { sessionId: id, kind: 'run-end' } });
      expect(ends).toBe(1);
    }
    expect((await survivor.api.messages.page({ sessionId: childId })).messages.at(-1)).toMatchObject({
      content: 'half',
      metadata: { interrupted: true },
    });
    expect((await toolResults(survivor, sessionId)).map((message) => message.metadata.toolStatus)).toEqual([
      'interrupted',
    ]);
    script(survivor, [], say('unused'));
    await survivor.api.runs.resume({ sessionId });
    await survivor.untilIdle(sessionId);
    expect((await survivor.api.messages.page({ sessionId })).messages.at(-1)?.content).toBe('Thanks.');
  });

  it('are removed, brought back and purged with their parent, plans included', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    script(app, [{ task: 'work' }], waitAt(gate, 'busy'));
    await app.send(sessionId, 'Go');
    await gate.reached;
    const [child] = await childrenOf(app, sessionId);
    const childId = child?.id ?? '';
    await app.api.todos.set({ sessionId: childId, tasks: [{ text: 'x' }] });
    const watcher = app.watch(childId);
    await watcher.until((event) => event.kind === 'snapshot');
    await app.api.sessions.remove({ sessionId });
    await watcher.until((event) => event.kind === 'session-removed');
    await expect(app.api.todos.get({ sessionId: childId })).rejects.toMatchObject({ cause: { code: 'not-found' } });
    const { prisma, pool } = getDatabase();
    await expect
      .poll(async () =>
        (await prisma.sessionRun.findMany({ where: { sessionId: { in: [sessionId, childId] } } })).map(
          (run) => run.status,
        ),
      )
      .toEqual(['stopped', 'stopped']);
    await app.api.sessions.restore({ sessionId });
    expect((await app.api.todos.get({ sessionId: childId })).tasks).toHaveLength(1);
    await app.api.sessions.remove({ sessionId });
    await pool.query(`UPDATE sessions SET removed_at = now() - interval '5 minutes' WHERE id = $1`, [sessionId]);
    // The child's own mark is younger; it goes with its parent all the same, and is named so that its files go too.
    expect((await app.services.sessions.purge()).sort()).toEqual([sessionId, childId].sort());
    expect(await prisma.sessionTodos.count({ where: { sessionId: childId } })).toBe(0);
  });
});

it('a profile as a subagent has it: no planning, at most 40 steps, no spawning at the greatest depth', () => {
  expect(asSubagent(coderProfile, 0)).toBe(coderProfile);
  const first = asSubagent(coderProfile, 1);
  expect(first.planning.isEnabled).toBe(false);
  expect(first.discipline.stepBudget).toBe(40);
  expect(first.excludedTools).toEqual([]);
  expect(asSubagent(defaultProfile, 2).excludedTools).toEqual(['spawn_agent']);
  const tight = { ...defaultProfile, discipline: { ...defaultProfile.discipline, stepBudget: 5 } };
  expect(asSubagent(tight, 1).discipline.stepBudget).toBe(5);
  // Byte-stable at the head: the parent's prompt stays in front.
  expect(first.prompt.startsWith(coderProfile.prompt)).toBe(true);
});
