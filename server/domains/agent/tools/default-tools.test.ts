import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Clock } from '../../../lib/clock';
import { createGuardedFetch, type GuardedFetch } from '../../../lib/web/guarded-fetch';
import { describeEachEngine } from '../../../testing/database';
import { createWorkspace, type Workspace } from '../../files/workspace/workspace';
import { createKvStore } from '../../kv/store';
import { describeTime } from './current-time';
import { createDefaultTools } from './default-tools';
import { executeToolCall } from './execute-tool-call';
import { formatSize } from './file-tools';
import { createToolRegistry } from './registry';
import { withoutSessionFiles } from './testing/without-session-files';
import type { Tool } from './types';

const now = new Date('2026-11-30T00:05:00Z');
const clock: Clock = { now: () => now, sleep: () => new Promise(() => {}) };

describeEachEngine('the default tools', (getDatabase) => {
  let dataDir: string;
  let workspace: Workspace;
  let web: GuardedFetch;
  let tools: Tool[];

  beforeEach(async () => {
    await getDatabase().reset();
    dataDir = await mkdtemp(join(tmpdir(), 'navi-tools-'));
    workspace = createWorkspace({ dataDir });
    web = createGuardedFetch();
    tools = createDefaultTools({
      workspace,
      ...withoutSessionFiles,
      kv: createKvStore(getDatabase()),
      web,
      settings: { timeZone: 'Europe/Berlin' },
    });
  });
  afterEach(async () => {
    await web.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const call = (name: string, args: Record<string, unknown> = {}, sessionId = 's1') =>
    executeToolCall({
      call: { name, arguments: args, malformed: null },
      tools,
      context: {
        sessionId,
        userId: 'ann',
        runId: 'r',
        toolCallId: 'c',
        signal: new AbortController().signal,
        reportProgress: () => {},
      },
      clock,
    });
  const textOf = async (name: string, args: Record<string, unknown> = {}) => (await call(name, args)).text;

  it('are described for a model without leaving anything out, run_command apart', () => {
    const registry = createToolRegistry(tools);
    const offered = registry.describe(registry.select({ names: null }));
    expect(offered.map(({ name }) => name)).toEqual([
      'current_time',
      'scratchpad',
      'list_files',
      'read_file',
      'write_file',
      'search_files',
      'web_fetch',
    ]);
    for (const { inputSchema } of registry.describe(registry.all())) {
      expect(inputSchema).toMatchObject({ type: 'object' });
      for (const property of Object.values(inputSchema.properties ?? {})) expect(property).toHaveProperty('type');
    }
  });

  it('current_time: weekday, zone and offset; an unknown zone is told', async () => {
    expect(await textOf('current_time')).toBe(
      'Monday, 2026-11-30 01:05:00 (UTC+01:00, Europe/Berlin)\nUTC: 2026-11-30T00:05:00Z',
    );
    expect(await textOf('current_time', { time_zone: 'America/New_York' })).toContain(
      'Sunday, 2026-11-29 19:05:00 (UTC-05:00',
    );
    expect(await call('current_time', { time_zone: 'Mars/Base' })).toMatchObject({ status: 'failed' });
    expect(describeTime(now, 'UTC')).toContain('Monday, 2026-11-30 00:05:00 (UTC');
  });

  it('scratchpad: sections are written, appended, read, listed and removed', async () => {
    expect(await textOf('scratchpad', { action: 'list' })).toBe('The pad is empty.');
    await call('scratchpad', { action: 'write', section: 'plan', content: 'one' });
    expect(await textOf('scratchpad', { action: 'append', section: 'plan', content: 'two' })).toContain('7 characters');
    await call('scratchpad', { action: 'append', content: 'loose' });
    expect(await textOf('scratchpad', { action: 'read', section: 'plan' })).toBe('one\ntwo');
    expect(await textOf('scratchpad', { action: 'read' })).toBe('## notes\nloose\n\n## plan\none\ntwo');
    expect(await textOf('scratchpad', { action: 'list' })).toBe('- notes (5 characters)\n- plan (7 characters)');
    expect(await textOf('scratchpad', { action: 'remove', section: 'notes' })).toContain('Removed');
    const missing = await call('scratchpad', { action: 'read', section: 'gone' });
    expect(missing).toMatchObject({ status: 'failed' });
    expect(missing.text).toContain('"plan"');
    for (const wrong of [{ action: 'write' }, { action: 'remove' }, { action: 'erase' }]) {
      expect(await call('scratchpad', wrong)).toMatchObject({ status: 'failed' });
    }
  });

  it('scratchpad: belongs to its session, survives a restart, and cannot grow past a context', async () => {
    await call('scratchpad', { action: 'write', content: 'mine' });
    expect((await call('scratchpad', { action: 'list' }, 's2')).text).toBe('The pad is empty.');
    const reopened = createKvStore(getDatabase());
    expect(await reopened.get({ userId: 'ann', sessionId: 's1', scope: 'scratchpad' }, 'notes')).toBe('mine');
    const tooMuch = await call('scratchpad', { action: 'append', content: 'x'.repeat(50_000) });
    expect(tooMuch).toMatchObject({ status: 'failed' });
    expect(await textOf('scratchpad', { action: 'read', section: 'notes' })).toBe('mine');
  });

  it('files: written, listed, read in pieces and found', async () => {
    expect(await textOf('list_files')).toBe('The folder is empty.');
    const content = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n');
    expect(await textOf('write_file', { path: 'notes/Расчет.md', content })).toMatch(
      /^Created notes\/Расчет\.md \(\d+ bytes\)\.$/,
    );
    expect(await textOf('write_file', { path: 'notes/Расчет.md', content, mode: 'create' })).toContain(
      'exists already',
    );
    expect(await textOf('list_files', { depth: '2' })).toMatch(/^notes\/\nnotes\/Расчет\.md \(\d+ bytes, 20\d\d-/);
    expect(await textOf('read_file', { path: 'notes/Расчет.md', from_line: '10', lines: 2 })).toBe(
      'notes/Расчет.md, lines 10 to 11 of 50; read on with from_line 12\n\nline 10\nline 11',
    );
    expect(await textOf('read_file', { path: 'notes/Расчет.md', from_line: 99 })).toContain('only 50 lines');
    expect(await textOf('search_files', { query: 'LINE 42' })).toBe('notes/Расчет.md:42: line 42');
    expect(await textOf('search_files', { query: 'расчет' })).toContain('- notes/Расчет.md');
    expect(await textOf('search_files', { query: 'absent' })).toBe('No line holds this text (1 files searched).');
  });

  it('files: a fault is a failed result in words, without a path of this machine', async () => {
    const root = await workspace.forOwner('ann').ensure();
    await writeFile(join(root, 'a.bin'), Buffer.from([0, 1, 2]));
    const faults = [
      await call('read_file', { path: 'gone.txt' }),
      await call('read_file', { path: '../../secret' }),
      await call('read_file', { path: '/etc/passwd' }),
      await call('read_file', { path: 'a.bin' }),
      await call('write_file', { path: 'a.bin/x', content: 'x' }),
      await call('list_files', { path: 'a.bin' }),
    ];
    for (const { status, text } of faults) {
      expect(status).toBe('failed');
      expect(text).not.toContain(dataDir);
      expect(text).not.toMatch(/ENO|EIS|at .*:\d+/);
    }
  });

  it('sizes are told in words', () => {
    expect([0, 1, 999, 1000, 14_240, 999_960, 5e9].map(formatSize)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '14.2 kB',
      '1.0 MB',
      '5.0 GB',
    ]);
  });
});
