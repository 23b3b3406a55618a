import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/clock';
import { createTestApp, type TestApp } from '../../../testing/app';
import { describeEachEngine } from '../../../testing/database';
import { createWorkspace } from '../../files/workspace/workspace';
import { coderProfile, defaultProfile } from '../../profiles/built-in';
import type { PlanToolsMode } from '../../profiles/schema';
import { createPlanAccess } from '../../todos/plan-access';
import { executeToolCall } from './execute-tool-call';
import { createPlanTools } from './plan-tools';
import { createProtocolTool } from './protocol';
import { createToolRegistry } from './registry';
import { selectTools } from './select-tools';
import { createTodoTool } from './todo';
import type { Tool } from './types';

describeEachEngine('the tools of the plan', (getDatabase) => {
  let app: TestApp;
  let dataDir: string;
  let sessionId: string;
  let tools: Tool[];
  async function open(): Promise<void> {
    app = await createTestApp(getDatabase(), { env: { NAVI_DATA_DIR: dataDir } });
    const plans = createPlanAccess({ todos: app.services.todos, clock: systemClock });
    tools = [createTodoTool(plans), ...createPlanTools(plans), createProtocolTool(app.services.protocols)];
  }
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'navi-protocols-'));
    await open();
    sessionId = await app.newSession();
  });
  afterEach(async () => {
    await app.close();
    expect(app.unexpected).toEqual([]);
    await getDatabase().reset();
    await rm(dataDir, { recursive: true });
  });

  async function call(name: string, args: unknown = {}, at: string | null = sessionId) {
    const result = await executeToolCall({
      call: { name, arguments: args, malformed: null },
      tools,
      context: {
        // Callers without a session exist only outside of runs.
        sessionId: at as string,
        userId: 'anonymous',
        runId: 'run',
        toolCallId: 'call',
        signal: new AbortController().signal,
        reportProgress: () => {},
      },
      clock: systemClock,
    });
    return { ...result, ok: result.status === 'done' };
  }
  const textOf = async (name: string, args?: unknown) => (await call(name, args)).text;
  const statuses = async () => (await app.api.todos.get({ sessionId })).tasks.map((step) => step.status);

  describe("AgentPool's", () => {
    it('declarative mode has its words and titles, 0-based', async () => {
      expect(await call('get_plan')).toMatchObject({
        metadata: { title: 'Fetched plan (empty)', todos: [] },
      });
      const set = await call('set_plan', {
        entries: [
          { content: 'Look', priority: 'high', status: 'completed' },
          { content: '   ' },
          { content: 'Write', status: 'in_progress' },
          { content: 'Check', priority: 'low' },
        ],
      });
      expect(set.text).toBe('Plan updated with 3 entries');
      expect(set.metadata).toMatchObject({
        title: 'Set plan with 3 tasks',
        todoRevision: 1,
        todos: [
          { content: 'Look', status: 'completed' },
          { content: 'Write', status: 'in_progress' },
          { content: 'Check', status: 'pending' },
        ],
      });
      expect(await textOf('get_plan')).toBe(
        '## Plan\n\n0. ✓ 🔴 Look *(completed)*\n1. ◐ 🟡 Write *(in_progress)*\n2. ⬚ 🟢 Check *(pending)*',
      );
      expect((await call('get_plan')).metadata.title).toBe('Fetched plan with 3 tasks (1 completed)');
      expect((await call('set_plan', { entries: [{ content: 'Only' }] })).metadata.title).toBe('Set plan with 1 task');
      const cleared = await call('set_plan', { entries: [] });
      expect([cleared.text, cleared.metadata.title]).toEqual(['Plan updated with 0 entries', 'Cleared plan']);
      // One change, one revision: not one for each entry.
      expect((await app.api.todos.get({ sessionId })).revision).toBe(3);
    });

    it('granular mode has its words, counts from 0 and says what is out of range', async () => {
      expect(await textOf('update_plan_entry', { index: 0, status: 'completed' })).toBe(
        'Error: Index 0 out of range (the plan is empty)',
      );
      expect(await textOf('add_plan_entry', { content: 'B' })).toBe('Added plan entry at index 0: B');
      expect(await textOf('add_plan_entry', { content: 'A', index: -5, priority: 'high' })).toBe(
        'Added plan entry at index 0: A',
      );
      const third = await call('add_plan_entry', { content: 'C', index: 99 });
      expect([third.text, third.metadata.title]).toEqual(['Added plan entry at index 2: C', 'Added task 3']);
      const updated = await call('update_plan_entry', { index: 1, status: 'completed', content: 'B2' });
      expect(updated.text).toBe("Updated plan entry 1: content to 'B2', status to 'completed'");
      expect(updated.metadata.title).toBe('Updated task 2 ✓');
      expect(await textOf('update_plan_entry', { index: 1 })).toBe('No changes specified');
      const { revision } = await app.api.todos.get({ sessionId });
      expect(revision).toBe(4);
      for (const name of ['update_plan_entry', 'remove_plan_entry']) {
        for (const index of [3, -1]) {
          const refused = await call(name, { index, ...(name.startsWith('update') ? { status: 'pending' } : {}) });
          expect([refused.status, refused.text]).toEqual(['failed', `Error: Index ${index} out of range (0-2)`]);
        }
      }
      expect(await textOf('remove_plan_entry', { index: 0 })).toBe(
        "Removed plan entry 0 ('A'), remaining entries reindexed",
      );
      await call('remove_plan_entry', { index: 0 });
      expect(await textOf('remove_plan_entry', { index: 0 })).toBe("Removed plan entry 0 ('C'), plan is now empty");
    });

    it('refuse statuses and priorities that do not exist, and change nothing then', async () => {
      for (const [name, args] of [
        ['set_plan', { entries: [{ content: 'a', status: 'done' }] }],
        ['set_plan', { entries: [{ content: 'a', priority: 'urgent' }] }],
        ['add_plan_entry', { content: '  ' }],
        ['update_plan_entry', { index: 0, status: 'cancelled' }],
      ] as const) {
        expect((await call(name, args)).metadata.reason).toBe('invalid-arguments');
      }
      expect((await app.api.todos.get({ sessionId })).revision).toBe(0);
    });

    it('leave a failed or skipped step what it is when they call it completed', async () => {
      await app.api.todos.set({
        sessionId,
        tasks: [
          { text: 'a', status: 'failed' },
          { text: 'b', status: 'skipped' },
          { text: 'c', status: 'in_progress' },
        ],
      });
      await call('set_plan', {
        entries: ['a', 'b', 'c'].map((content) => ({ content, status: 'completed' })),
      });
      await call('update_plan_entry', { index: 0, status: 'completed' });
      expect(await statuses()).toEqual(['failed', 'skipped', 'done']);
    });

    it('work without a session on a plan of their own, and never for a session that is not there', async () => {
      expect((await call('add_plan_entry', { content: 'loose' }, null)).ok).toBe(true);
      expect((await call('get_plan', {}, null)).text).toContain('0. ⬚ 🟡 loose');
      expect((await call('add_plan_entry', { content: 'lost' }, 'gone')).text).toContain('does not exist');
      expect((await app.api.todos.get({ sessionId })).tasks).toEqual([]);
    });
  });

  describe('todo demands for done how it was checked', () => {
    const stepOf = async () => (await app.api.todos.get({ sessionId })).tasks[0];
    const update = (args: Record<string, unknown>) => call('todo', { action: 'update', index: 1, ...args });

    it.each(['failed', 'skipped'])('anew for a step that was %s: what was said then proves nothing', async (status) => {
      await call('todo', { action: 'set', tasks: ['a'] });
      await update({ status, validation: 'tests break' });
      for (const args of [{}, { validation: 'tests break' }]) {
        expect((await update({ status: 'done', ...args })).text).toContain('cannot be done without a validation');
      }
      expect((await call('todo', { action: 'set', tasks: [{ text: 'a', status: 'done' }] })).ok).toBe(false);
      expect(await stepOf()).toMatchObject({ status, validation: 'tests break' });
      expect((await update({ status: 'done', validation: 'tests pass' })).ok).toBe(true);
    });

    it('and keeps it: it can be replaced, not removed', async () => {
      await call('todo', { action: 'add', text: 'a', status: 'done', validation: 'seen' });
      for (const attempt of [
        update({ validation: '' }),
        update({ status: 'done', validation: ' ' }),
        call('todo', { action: 'set', tasks: [{ text: 'a', validation: null }] }),
        call('todo', { action: 'set', tasks: [{ text: 'a', status: 'done', validation: '' }] }),
      ]) {
        expect((await attempt).text).toContain('its validation can be replaced, not removed');
      }
      expect(await stepOf()).toMatchObject({ status: 'done', validation: 'seen' });
      await update({ validation: 'seen twice' });
      await update({ status: 'done', note: 'easy' });
      expect(await stepOf()).toMatchObject({ validation: 'seen twice', note: 'easy' });
    });

    it('whenever it was said while the step was open, and not of what a person ticked', async () => {
      await app.api.todos.set({ sessionId, tasks: [{ text: 'a' }, { text: 'ticked', status: 'done' }] });
      await update({ status: 'in_progress', validation: 'the log says so' });
      expect((await update({ status: 'done' })).ok).toBe(true);
      expect((await update({ index: 2, status: 'done', note: 'thanks' })).ok).toBe(true);
      expect(await statuses()).toEqual(['done', 'done']);
    });
  });

  it.each<[PlanToolsMode, string[]]>([
    ['todo', ['todo']],
    ['declarative', ['get_plan', 'set_plan']],
    ['granular', ['get_plan', 'add_plan_entry', 'update_plan_entry', 'remove_plan_entry']],
  ])('the mode %s offers %j and no other plan tool', (planTools, names) => {
    const registry = createToolRegistry(tools);
    for (const profile of [defaultProfile, { ...coderProfile, tools: ['protocol'] }]) {
      const chosen = selectTools(registry, { ...profile, discipline: { ...profile.discipline, planTools } }, []);
      expect(chosen.map((tool) => tool.name)).toEqual([...names, 'protocol']);
    }
    const excluded = selectTools(registry, { ...defaultProfile, excludedTools: ['todo', 'protocol'] }, []);
    expect(excluded).toEqual([]);
  });

  describe('protocol', () => {
    it('lists the built-in ones; own files are added, win by id, and are named when they cannot be used', async () => {
      expect(await textOf('protocol', { action: 'list' })).toMatch(
        /^- fix-bug: .*\n- research: Research a question \(6 steps\)\. .*\n- write-document: .*$/,
      );
      const folder = createWorkspace({ dataDir }).forOwner('anonymous');
      await folder.writeText('protocols/research.md', '---\nname: My way\n---\n1. Ask Anna');
      await folder.writeText('protocols/broken.md', 'no front matter');
      await folder.writeText('protocols/readme.txt', 'not a protocol');
      await folder.writeText('protocols/two words.md', '---\nname: x\n---\n1. a');
      const list = await textOf('protocol', { action: 'list' });
      expect(list).toContain('- research: My way (1 steps, the person’s own)');
      expect(list).toContain('protocols/broken.md cannot be used: it does not begin with front matter');
      expect(list).toContain('protocols/two words.md cannot be used: its name');
      expect(list).not.toContain('readme');
      const { protocols } = await app.api.todos.protocols({ sessionId });
      expect(protocols.map(({ id, origin }) => [id, origin])).toEqual([
        ['fix-bug', 'built-in'],
        ['research', 'own'],
        ['write-document', 'built-in'],
      ]);
    });

    it('splices its steps behind the one reached; finish is refused while steps are open and says which', async () => {
      await app.api.todos.set({
        sessionId,
        tasks: [{ text: 'begun', status: 'in_progress' }, { text: 'later' }],
      });
      const started = await call('protocol', { action: 'start', protocol: 'fix-bug' });
      expect(started.text).toContain('2. Say what happens, what should happen, and how you know\n   The exact message');
      expect(started.text).toContain('the order matters'.replace('the', 'The'));
      const plan = await app.api.todos.get({ sessionId });
      expect(plan.tasks.map((step) => step.stepId)).toEqual([
        null,
        'symptom',
        'reproduce',
        'cause',
        'test',
        'fix',
        'prove',
        'report',
        null,
      ]);
      expect(plan.tasks[1]).toMatchObject({ source: 'protocol', protocolRunId: started.metadata.protocolRunId });
      for (let index = 2; index <= 6; index++) {
        await call('todo', { action: 'update', index, status: 'done', validation: 'seen' });
      }
      await call('todo', { action: 'update', index: 7, status: 'in_progress' });
      const refused = await call('protocol', { action: 'finish' });
      expect(refused.status).toBe('failed');
      expect(refused.text).toContain(
        'Fix a bug is not finished: these steps are still open: 7 (Prove it: the new test passes, the old ones still do, the first input ' +
          'gives the right result, in_progress); 8 (Say what was wrong',
      );
      await call('todo', { action: 'update', index: 7, status: 'failed', note: 'no machine' });
      await call('todo', { action: 'update', index: 8, status: 'skipped', note: 'told already' });
      expect(await textOf('protocol', { action: 'finish', note: 'mended' })).toBe('Finished Fix a bug.');
      expect((await app.api.todos.protocols({ sessionId })).runs).toMatchObject([
        { status: 'finished', note: 'mended' },
      ]);
      expect(await textOf('protocol', { action: 'finish' })).toBe('No protocol is in progress in this chat.');
    });

    it('a person starts one: the history names them, and the agent can look up how it is done', async () => {
      const { positions } = await app.api.todos.startProtocol({ sessionId, protocolId: 'fix-bug' });
      expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect((await app.api.todos.get({ sessionId })).tasks[0]).toMatchObject({
        source: 'protocol',
        stepId: 'symptom',
      });
      expect((await app.api.todos.revisions({ sessionId })).items).toMatchObject([{ revision: 1, author: 'user' }]);
      const list = await textOf('protocol', { action: 'list' });
      expect(list).toContain('How Fix a bug is done:\nUse this for a fault in a program.');
      expect(list).toContain('- Find the cause: the first place where something is not as it should be: Read the code');
      await expect(app.api.todos.startProtocol({ sessionId, protocolId: 'fix-bug' })).rejects.toMatchObject({
        cause: { code: 'conflict' },
      });
      expect((await app.api.todos.protocols({})).runs).toEqual([]);
    });

    it('an agent cannot drop its open steps, a person can', async () => {
      await call('protocol', { action: 'start', protocol: 'research' });
      for (const [name, args] of [
        ['todo', { action: 'clear' }],
        ['todo', { action: 'set', tasks: ['other'] }],
        ['todo', { action: 'remove', index: 1 }],
        ['set_plan', { entries: [] }],
        ['remove_plan_entry', { index: 0 }],
      ] as const) {
        const refused = await call(name, args);
        expect([refused.status, refused.text]).toEqual([
          'failed',
          expect.stringMatching(/^Step 1 \(.*\) belongs to a protocol and is still open/),
        ]);
      }
      await app.api.todos.clear({ sessionId });
      expect(await textOf('protocol', { action: 'finish' })).toBe('Finished Research a question.');
    });

    it.each(['cancel', 'fail'] as const)(
      '%s asks for the reason, skips what is open and is over then',
      async (action) => {
        await call('protocol', { action: 'start', protocol: 'research' });
        await call('todo', { action: 'update', index: 1, status: 'done', validation: 'written down' });
        expect(await textOf('protocol', { action })).toBe(`${action} needs \`note\`: say why.`);
        const ended = await textOf('protocol', { action, note: 'no longer wanted' });
        expect(ended).toContain(`was ${action === 'cancel' ? 'cancelled' : 'failed'}. Skipped: 2, 3, 4, 5, 6.`);
        expect(ended).toContain(
          '2. — List where the answer can be found, the original sources first [no longer wanted]',
        );
        expect(await statuses()).toEqual(['done', 'skipped', 'skipped', 'skipped', 'skipped', 'skipped']);
      },
    );

    it('runs are remembered over a restart; the same one is not started twice, two others are told apart', async () => {
      const first = (await call('protocol', { action: 'start', protocol: 'research' })).metadata.protocolRunId;
      await app.close();
      await open();
      expect(await textOf('protocol', { action: 'list' })).toContain(`In progress: research (run ${first}).`);
      expect(await textOf('protocol', { action: 'start', protocol: 'research' })).toContain('is in progress already');
      const second = (await call('protocol', { action: 'start', protocol: 'fix-bug' })).metadata.protocolRunId;
      expect(await textOf('protocol', { action: 'cancel', note: 'x' })).toContain('Several protocols are in progress');
      expect(await textOf('protocol', { action: 'cancel', note: 'x', run: second })).toContain(
        'Fix a bug was cancelled',
      );
      expect(await textOf('protocol', { action: 'cancel', note: 'x', run: second })).toContain(`no run ${second}`);
      // Its own steps are open still.
      expect((await statuses()).filter((status) => status === 'pending')).toHaveLength(6);
      expect(await textOf('protocol', { action: 'start', protocol: 'nothing' })).toContain(
        'There is no protocol "nothing". There are: fix-bug, research, write-document.',
      );
    });

    it('is refused for a session that is gone, and goes with it', async () => {
      await call('protocol', { action: 'start', protocol: 'research' });
      await app.api.sessions.remove({ sessionId });
      expect(await textOf('protocol', { action: 'start', protocol: 'fix-bug' })).toContain('does not exist');
      await getDatabase().pool.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
      expect(await getDatabase().prisma.protocolRun.count()).toBe(0);
    });
  });
});
