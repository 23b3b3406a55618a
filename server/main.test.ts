/** Bad starts of the whole program: one readable line, exit code not 0, no stack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverProgram } from './testing/server-process';

/** The first start of an embedded database took 56 s on a core that was shared with two busy loops. */
const START_TIMEOUT_MS = 170_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navi-start-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts Navi with these settings and nothing else of this environment. */
async function start(settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0', NAVI_DATA_DIR: join(folder, 'data'), ...settings };
  const child = spawn(process.execPath, serverProgram(), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A start that is wrongly let through must not stay behind.
    timeout: START_TIMEOUT_MS,
  });
  let said = '';
  let complained = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString('utf8');
    if (said.includes('Navi is ready')) child.kill('SIGTERM');
  });
  child.stderr.on('data', (data: Buffer) => {
    complained += data.toString('utf8');
  });
  const [code] = await once(child, 'close');
  return { code, said, complained };
}

describe('a start that cannot be', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['a port that is no number', { PORT: 'web' }, /^PORT must be a number \(got "web"\)\n$/],
    ['a wrong address', { OPENAI_BASE_URL: 'api.example.com' }, /^OPENAI_BASE_URL must be an http or https URL .*\n$/],
    [
      'a wrong yes or no',
      { NAVI_RUN_COMMAND_ENABLED: 'maybe' },
      /^NAVI_RUN_COMMAND_ENABLED must be true or false .*\n$/,
    ],
    [
      'a wrong number in a setting with a default',
      { NAVI_CONTEXT_MESSAGE_TOKEN_BUDGET: 'many' },
      /^NAVI_CONTEXT_MESSAGE_TOKEN_BUDGET must be a number .*\n$/,
    ],
    [
      'accounts, which do not exist, on all addresses',
      { NAVI_AUTH_ENABLED: 'true', HOST: '0.0.0.0' },
      /^NAVI_AUTH_ENABLED cannot be on: this version has no accounts yet .*\n$/,
    ],
    [
      'a host with its scheme',
      { NAVI_ALLOWED_HOSTS: 'navi.example.com, https://chat.example.com' },
      /^NAVI_ALLOWED_HOSTS has "https:\/\/chat\.example\.com", which is no host: .*\n$/,
    ],
    [
      'a model of no known connection',
      { NAVI_MODEL: 'olama/qwen3' },
      /^NAVI_MODEL must look like connection\/model.*\n$/,
    ],
    ['all addresses, unless it is meant', { HOST: '0.0.0.0' }, /^HOST 0\.0\.0\.0 would let everybody .*\n$/],
    [
      'an address of another machine',
      { HOST: '192.0.2.1', NAVI_ALLOW_OPEN_ACCESS: 'true' },
      /^HOST 192\.0\.2\.1 is not .*\n$/,
    ],
    [
      'a database that nothing serves, without its password',
      { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:9/navi' },
      /^The database at 127\.0\.0\.1:9\/navi \(DATABASE_URL\) cannot be used: nothing listens there\. .*\n$/,
    ],
  ])('says in one line what is wrong: %s', async (_name, settings, expected) => {
    const { code, said, complained } = await start(settings);
    expect(complained).toMatch(expected);
    expect(complained).not.toContain('secret');
    expect(said).toBe('');
    expect(code).toBe(1);
  });

  it('says in one line that a file stands where the data folder should be', async () => {
    const { code, complained } = await start({ NAVI_DATA_DIR: join(folder, 'file') });
    expect(complained).toMatch(/^The data folder \S+ cannot be created \(ENOTDIR\)\. Check NAVI_DATA_DIR\.\n$/);
    expect(code).toBe(1);
  });

  it.skipIf(process.platform !== 'linux')(
    'says in one line that nobody can make a folder there, and does not hang',
    async () => {
      const { code, complained } = await start({ NAVI_DATA_DIR: '/proc/navi' });
      expect(complained).toMatch(/^The data folder \S+ cannot be created \(ENOENT\)\. Check NAVI_DATA_DIR\.\n$/);
      expect(code).toBe(1);
    },
  );

  it('says in one line that the port is in use, before it opens a database', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const { code, complained } = await start({ PORT: String(port), DATABASE_URL: 'postgresql://127.0.0.1:9/navi' });
    holder.close();
    expect(complained).toMatch(new RegExp(`^Port ${port} is in use\\. .*\\n$`));
    expect(code).toBe(1);
  });
});

describe('a start without the model that was set up', () => {
  it('says that it is awaited, and not that the demo answers', async () => {
    const { code, said } = await start({ OLLAMA_BASE_URL: 'http://127.0.0.1:9' });
    expect(said).toContain('Model: none yet. Ollama at http://127.0.0.1:9 cannot be reached. Is it running?');
    expect(said).not.toContain('demo');
    expect(code).toBe(0);
  });
});
