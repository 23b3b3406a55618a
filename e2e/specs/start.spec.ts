import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { childrenOf, isProcessAlive } from '../../server/testing/server-process';

/** Processes below this one, however deep. */
const descendantsOf = (processId: number): number[] =>
  childrenOf(processId).flatMap((child) => [child, ...descendantsOf(child)]);

test.describe('npm start', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  test.beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'navi-npm-start-'));
  });
  test.afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** As a person types it, in this folder, where everything is built already. */
  function start() {
    const child = spawn('npm', ['start', '--silent'], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', NAVI_DATA_DIR: join(folder, 'data') },
      // A group of its own, so that Ctrl+C can be sent to all of it, as a terminal does.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said.text += data));
    return { child, processId: child.pid ?? 0, said };
  }

  test('on unchanged sources prepares nothing, says where it is, and Ctrl+C ends it with its children', async () => {
    const { child, processId, said } = start();
    await expect.poll(() => said.text, { timeout: 100_000 }).toMatch(/^Navi is ready: http:\/\/127\.0\.0\.1:\d+$/m);
    expect(said.text).toMatch(/^Model: /m);
    expect(said.text).not.toMatch(/Installing|Building|Generating/);
    const origin = /^Navi is ready: (.*)$/m.exec(said.text)?.[1] ?? '';
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);

    // Another one on the same data folder ends with one line that says so.
    const second = start();
    const [code] = await once(second.child, 'close');
    expect(code).not.toBe(0);
    expect(second.said.text).toMatch(/is in use by another Navi/);

    const below = descendantsOf(processId);
    // The server and its embedded engine.
    expect(below.length).toBeGreaterThanOrEqual(2);
    const closed = once(child, 'close');
    process.kill(-processId, 'SIGINT');
    await closed;
    await expect.poll(() => below.filter(isProcessAlive)).toEqual([]);
    for (const text of [said.text, second.said.text]) expect(text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  });
});
