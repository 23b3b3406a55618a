import { expect, it } from 'vitest';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, say } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { killOwner, QUIET_LEASE_MS, transcript, useApps } from '../../testing/use-apps';

describeEachEngine('approvals', (getDatabase) => {
  const openApp = useApps(getDatabase);

  /** An app with one tool that must be asked for, and the calls that it really made. */
  async function open(options: { leaseMs?: number } = {}, made: unknown[] = []) {
    const command = createTestTool(
      'command',
      async (input) => {
        made.push(input.line);
        return { text: `ran ${input.line}` };
      },
      { class: 'execute' },
    );
    const app = await openApp({ tools: [command], ...options });
    return { app, made };
  }
  const statesOf = async (app: TestApp, sessionId: string) =>
    (await app.api.messages.page({ sessionId })).messages.flatMap((message) => message.metadata.toolStatus ?? []);
  const command = (line: string, id?: string) => ({ name: 'command', arguments: { line }, ...(id && { id }) });
  const asked = (toolCallId: string) => (event: { kind: string; approval?: { toolCallId: string } }) =>
    event.kind === 'approval-asked' && event.approval?.toolCallId === toolCallId;

  it('asks before a risky call and runs it once allowed, from another tab', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls')), say('Listed.'));
    const first = app.watch(sessionId);
    await app.send(sessionId, 'List');
    await first.until(asked('call-1'));
    expect(made).toEqual([]);
    const other = app.watch(sessionId);
    expect(await other.until((event) => event.kind === 'snapshot')).toMatchObject({
      approvals: [{ toolCallId: 'call-1', toolName: 'command', arguments: { line: 'ls' }, risk: 'execute' }],
    });
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    await first.until((event) => event.kind === 'approval-answered');
    await app.untilIdle(sessionId);
    expect(made).toEqual(['ls']);
    expect((await transcript(app, sessionId)).slice(2)).toEqual([
      ['tool', 'ran ls'],
      ['assistant', 'Listed.'],
    ]);
    await Promise.all([first.stop(), other.stop()]);
  });

  it('asks no more for a tool that was allowed for the session, and in no other session', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('one')), callTools(command('two', 'call-2')), say('Done.'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Twice');
    expect(await watcher.until(asked('call-1'))).toMatchObject({ approval: { mayHoldForSession: true } });
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved', forSession: true });
    await app.untilIdle(sessionId);
    expect(made).toEqual(['one', 'two']);
    await watcher.stop();

    // A copy of the chat and any other ask again.
    const { id: forkId } = await app.api.sessions.fork({ sessionId });
    app.model.replies.push(callTools(command('three', 'call-3')), say('Not then.'));
    const fork = app.watch(forkId);
    await app.send(forkId, 'Again');
    await fork.until(asked('call-3'));
    await app.api.runs.approve({ sessionId: forkId, toolCallId: 'call-3', decision: 'denied', forSession: true });
    await app.untilIdle(forkId);
    expect(made).toEqual(['one', 'two']);
    await fork.stop();
  });

  it('asks every time where the tool always asks, whatever the answer says', async () => {
    const made: unknown[] = [];
    const always = createTestTool(
      'command',
      async (input) => {
        made.push(input.line);
        return { text: 'ran' };
      },
      { class: 'execute', alwaysAsks: true },
    );
    const app = await openApp({ tools: [always] });
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('one')), callTools(command('two', 'call-2')), say('Done.'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Twice');
    expect(await watcher.until(asked('call-1'))).toMatchObject({ approval: { mayHoldForSession: false } });
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved', forSession: true });
    await watcher.until(asked('call-2'));
    expect(made).toEqual(['one']);
    await app.api.runs.approve({ sessionId, toolCallId: 'call-2', decision: 'denied' });
    await app.untilIdle(sessionId);
    await watcher.stop();
  });

  it('says in the list of chats that one waits for the person, until it is answered', async () => {
    const { app } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls')), say('Listed.'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'List');
    await watcher.until(asked('call-1'));
    const waits = async () =>
      (await app.api.sessions.list({})).items.find((item) => item.id === sessionId)?.waitsForPerson;
    expect(await waits()).toBe(true);
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    expect(await waits()).toBe(false);
    await app.untilIdle(sessionId);
    await watcher.stop();
  });

  it('never runs a denied call, and lets the model know', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('rm')), say('Then not.'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Remove');
    await watcher.until(asked('call-1'));
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'denied' });
    await app.untilIdle(sessionId);
    expect([made, await statesOf(app, sessionId)]).toEqual([[], ['denied']]);
    expect(JSON.stringify(app.model.calls[1]?.prompt)).toContain('did not allow');
    await watcher.stop();
  });

  it('takes one answer only: the second tab is told that the call does not wait any more', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls')));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'List');
    await watcher.until(asked('call-1'));
    const answer = () => app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    const answers = await Promise.allSettled([answer(), answer(), answer()]);
    expect(answers.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    for (const one of answers) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT' });
    }
    await app.untilIdle(sessionId);
    expect(made).toEqual(['ls']);
    await watcher.stop();
  });

  it('asks anew for a later call of the same run that carries the same id', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls', '0')), callTools(command('rm -rf', '0')), say('Done.'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'Go');
    await watcher.until(asked('0'));
    await app.api.runs.approve({ sessionId, toolCallId: '0', decision: 'approved' });
    await watcher.until(asked('0-2'));
    expect(made).toEqual(['ls']);
    await app.api.runs.approve({ sessionId, toolCallId: '0-2', decision: 'denied' });
    await app.untilIdle(sessionId);
    expect(made).toEqual(['ls']);
    await watcher.stop();
  });

  it('stops while it waits for an answer, and withdraws the question', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls')));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'List');
    await watcher.until(asked('call-1'));
    await app.api.runs.stop({ sessionId });
    await app.untilIdle(sessionId);
    expect([made, await statesOf(app, sessionId)]).toEqual([[], ['stopped']]);
    const late = app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    await watcher.stop();
  });

  it('survives the end of its worker: answered later, the turn goes on and the call runs exactly once', async () => {
    const { app: dead, made } = await open();
    const sessionId = await dead.newSession();
    dead.model.replies.push(callTools(command('first'), command('second')));
    const watcher = dead.watch(sessionId);
    await dead.send(sessionId, 'Go');
    await watcher.until(asked('call-1'));
    await watcher.stop();
    await dead.close();

    const { app } = await open({}, made);
    app.model.replies.push(say('Both ran.'));
    const later = app.watch(sessionId);
    expect(await later.until((event) => event.kind === 'snapshot')).toMatchObject({
      runState: 'interrupted',
      run: null,
      approvals: [{ toolCallId: 'call-1' }],
    });
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    await later.until(asked('call-2'));
    await app.api.runs.approve({ sessionId, toolCallId: 'call-2', decision: 'approved' });
    await app.untilIdle(sessionId);
    expect(made).toEqual(['first', 'second']);
    expect((await transcript(app, sessionId)).filter(([role]) => role !== 'system').slice(2)).toEqual([
      ['tool', 'ran first'],
      ['tool', 'ran second'],
      ['assistant', 'Both ran.'],
    ]);
    await later.stop();
  });

  it('settles an abandoned run before it takes the answer, so that the call still runs', async () => {
    const { app, made } = await open({ leaseMs: QUIET_LEASE_MS });
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls')), say('Listed.'));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'List');
    await watcher.until(asked('call-1'));
    await killOwner(getDatabase(), sessionId);
    await app.api.runs.approve({ sessionId, toolCallId: 'call-1', decision: 'approved' });
    await watcher.until((event) => event.kind === 'run-end' && event.status === 'done');
    expect(made).toEqual(['ls']);
    await watcher.stop();
  });

  it('drops the question when the person says something else, regenerates or chooses another variant', async () => {
    const { app: dead, made } = await open();
    const sessionId = await dead.newSession();
    dead.model.replies.push(callTools(command('ls')));
    const watcher = dead.watch(sessionId);
    await dead.send(sessionId, 'List');
    await watcher.until(asked('call-1'));
    await watcher.stop();
    await dead.close();

    const { app } = await open({}, made);
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    const snapshot = app.watch(sessionId);
    expect(await snapshot.until((event) => event.kind === 'snapshot')).toMatchObject({ approvals: [] });
    const { messages } = await app.api.messages.page({ sessionId });
    const [original] = messages[1]?.variants?.branchIds ?? [];
    await app.api.messages.selectVariant({ sessionId, branchId: original ?? -1 });
    // The call of the old branch got its result before the branch was left.
    expect(await statesOf(app, sessionId)).toEqual(['interrupted']);
    expect(made).toEqual([]);
    await snapshot.stop();
  });

  it('ends with its session: a call that waits when the session is removed never runs', async () => {
    const { app, made } = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(callTools(command('ls')));
    const watcher = app.watch(sessionId);
    await app.send(sessionId, 'List');
    await watcher.until(asked('call-1'));
    await app.api.sessions.remove({ sessionId });
    await watcher.ended;
    await expect
      .poll(async () => (await getDatabase().prisma.sessionRun.findFirst({ where: { sessionId } }))?.status)
      .toBe('stopped');
    expect(made).toEqual([]);
  });
});
