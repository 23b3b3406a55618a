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

  const untilReady = ({ said }: ReturnType<typeof start>) =>
    expect.poll(() => said.text, { timeout: 100_000 }).toMatch(/^Navi is ready: http:\/\/127\.0\.0\.1:\d+$/m);

  /** Ends it; answers when nothing of it is left. */
  async function end(started: ReturnType<typeof start>, signal: () => void) {
    const below = descendantsOf(started.processId);
    // The server and its embedded engine.
    expect(below.length).toBeGreaterThanOrEqual(2);
    const closed = once(started.child, 'close');
    signal();
    await closed;
    await expect.poll(() => below.filter(isProcessAlive)).toEqual([]);
    expect(started.said.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  }

  test('on unchanged sources prepares nothing and says where it is; Ctrl+C ends all of it, and so does ending npm', async () => {
    const first = start();
    await untilReady(first);
    expect(first.said.text).toMatch(/^Model: /m);
    expect(first.said.text).not.toMatch(/Installing|Building|Generating/);
    const origin = /^Navi is ready: (.*)$/m.exec(first.said.text)?.[1] ?? '';
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);

    // Another one on the same data folder ends with one line that says so.
    const refused = start();
    const [code] = await once(refused.child, 'close');
    expect(code).not.toBe(0);
    expect(refused.said.text).toMatch(/is in use by another Navi/);
    expect(refused.said.text).not.toMatch(/\bat .*\.(ts|js):\d+/);

    await end(first, () => process.kill(-first.processId, 'SIGINT'));
    const second = start();
    await untilReady(second);
    await end(second, () => process.kill(second.processId, 'SIGTERM'));
  });
});
