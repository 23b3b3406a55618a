/** Faults of others with plans (topic b of the collected reports), each as an input, with the right outcome. */
import { expect, it } from 'vitest';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, createGate, say } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { killOwner, QUIET_LEASE_MS, useApps } from '../../testing/use-apps';
import { answer, prose, talk, textOf } from '../compression/testing/talk';

/** As many as in the report. */
const MANY = 43;

describeEachEngine('plans where others lost or leaked them', (getDatabase) => {
  const open = useApps(getDatabase);
  const todo = (input: Record<string, unknown>) => callTools({ name: 'todo', arguments: input });
  /** What the newest call was told at the end of its prompt. */
  const toldLast = (app: TestApp) => textOf(app.model.calls.at(-1)?.prompt.slice(-1) ?? []);
  const plan = async (app: TestApp, sessionId: string) => (await app.api.todos.get({ sessionId })).tasks;

  it('B03, B04: 43 steps and the one in progress outlast a compression and a restart, and ids never begin anew', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(
      todo({ action: 'set', tasks: Array.from({ length: MANY }, (_, index) => `Task ${index + 1}`) }),
      todo({ action: 'update', index: 21, status: 'in_progress' }),
      say('Begun.'),
      say('A name'),
    );
    await app.send(sessionId, 'Work');
    await app.untilIdle(sessionId);
    talk(app.model, (call) => prose(`a${call}`, 1600));
    app.model.replies.splice(0);
    for (let turn = 1; turn <= 6; turn++) {
      await app.send(sessionId, prose(`q${turn}`, 1200));
      await app.untilIdle(sessionId);
    }
    const compressed = await app.api.compression.run({ sessionId });
    expect(compressed).toMatchObject({ kind: 'compression', compression: { status: 'done' } });
    const ids = Array.from({ length: MANY }, (_, index) => `step-${index + 1}`);
    expect((await plan(app, sessionId)).map((step) => step.id)).toEqual(ids);
    await app.send(sessionId, 'Go on');
    await app.untilIdle(sessionId);
    const [told] = app.model.calls.flatMap((call) => {
      const text = textOf(call.prompt.slice(-1));
      return text.includes('Go on') && text.includes('[Plan, ') ? [text] : [];
    });
    expect(told).toContain(`[Plan, 0 of ${MANY} closed]`);
    await app.close();

    const again = await open();
    expect((await plan(again, sessionId)).map((step) => step.id)).toEqual(ids);
    again.model.replies.push(
      todo({ action: 'update', index: 21, status: 'done', validation: 'looked at it' }),
      todo({ action: 'add', text: 'One more' }),
      answer('Added.'),
    );
    await again.send(sessionId, 'And one more');
    await again.untilIdle(sessionId);
    // What was left in progress is spoken of once, and the agent can close it.
    expect(textOf(again.model.calls[0]?.prompt ?? [])).toContain("step 21 is still 'in_progress'");
    const tasks = await plan(again, sessionId);
    expect(tasks.map((step) => step.id)).toEqual([...ids, `step-${MANY + 1}`]);
    expect(tasks[20]).toMatchObject({ status: 'done', validation: 'looked at it' });
    await again.api.todos.clear({ sessionId });
    const anew = await again.api.todos.addStep({ sessionId, step: { text: 'After a clear' } });
    expect(anew.tasks.map((step) => step.id)).toEqual([`step-${MANY + 2}`]);
  });

  it('B07, B08: killed in a tool call, everything is settled once however many look, and new messages are taken', async () => {
    const gate = createGate();
    const slow = createTestTool('slow', async (_input, { signal }) => {
      await gate.pass(signal);
      return { text: 'late' };
    });
    const dead = await open({ leaseMs: QUIET_LEASE_MS, tools: [slow] });
    const sessionId = await dead.newSession();
    dead.model.replies.push(
      todo({ action: 'set', tasks: [{ text: 'Look', status: 'in_progress' }, 'Write'] }),
      callTools({ name: 'slow', id: 'a' }, { name: 'slow', id: 'b' }),
    );
    await dead.send(sessionId, 'Work');
    await gate.reached;
    const before = await dead.api.todos.get({ sessionId });
    await killOwner(getDatabase(), sessionId);
    const survivors = await Promise.all([1, 2, 3].map(() => open({ leaseMs: QUIET_LEASE_MS, tools: [slow] })));
    const [survivor] = survivors;
    if (survivor === undefined) throw new Error('no survivor');
    await Promise.all(survivors.map((app) => app.untilIdle(sessionId)));
    const { messages } = await survivor.api.messages.page({ sessionId });
    const calls = messages.flatMap((message) => message.metadata.toolStatus ?? []);
    expect(calls).toEqual(['done', 'interrupted', 'interrupted']);
    const ends = await getDatabase().prisma.sessionEvent.count({ where: { sessionId, kind: 'run-end' } });
    expect(ends).toBe(1);
    // Nothing writes the plan for the agent: it is told, and looks itself.
    expect(await survivor.api.todos.get({ sessionId })).toEqual(before);
    survivor.model.replies.push(say('I look first.'));
    const sent = await survivor.send(sessionId, 'Are you there?');
    expect(sent).toMatchObject({ queuedId: null });
    await survivor.untilIdle(sessionId);
    expect(textOf(survivor.model.calls[0]?.prompt ?? [])).toContain("step 1 is still 'in_progress'");
    gate.open();
  });

  it('B01: what one session of a person plans is nothing to another, nor to a new one', async () => {
    const app = await open();
    const [first, second] = [await app.newSession(), await app.newSession()];
    app.model.replies.push(todo({ action: 'set', tasks: ['Secret of the first'] }), say('Done.'));
    await app.send(first, 'Plan it');
    await app.untilIdle(first);
    const seen = app.model.calls.length;
    app.model.replies.splice(0);
    app.model.replies.push(todo({ action: 'view' }), say('Nothing there.'));
    await app.send(second, 'What is on your list?');
    await app.untilIdle(second);
    expect(JSON.stringify(app.model.calls.slice(seen))).not.toContain('Secret of the first');
    expect(await plan(app, await app.newSession())).toEqual([]);
    expect(toldLast(app)).not.toContain('[Plan, ');
  });
});
