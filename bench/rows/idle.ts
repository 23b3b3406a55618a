import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerProcess } from '../../server/testing/server-process';
import { createApi } from '../../server/testing/wire-client';
import { memoryOf } from '../lib/process-usage';
import type { Row } from '../lib/row';
import { format, median } from '../lib/stats';

const STARTS = 5;
/** Milliseconds that the server is left alone before its memory is read. */
const REST_MS = 5_000;

const allMemoryOf = (server: ServerProcess): number[] => [server.processId, ...server.childProcessIds()].map(memoryOf);

/** Milliseconds that `npm start` takes on unchanged sources, its checks included, until it says that Navi is ready. */
async function npmStart(env: Record<string, string>): Promise<number> {
  const startedAtMs = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let tookMs = Number.NaN;
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString('utf8');
    if (!Number.isNaN(tookMs) || !said.includes('Navi is ready')) return;
    tookMs = performance.now() - startedAtMs;
    child.kill('SIGTERM');
  });
  // When the server, which npm started, has let go of it as well.
  await once(child, 'close');
  if (Number.isNaN(tookMs)) throw new Error(`npm start ended: ${said}`);
  return tookMs;
}

/** A server of one person, embedded engine included, on a folder that was used before. */
export const idleRow: Row = {
  id: 'idle',
  what: 'idle memory, embedded engine included; warm start to /healthz; `npm start` on unchanged sources',
  figure: '≤ 300 MB; ≤ 3 s; ≤ 5 s',
  async run(bench) {
    const env = { NAVI_DATA_DIR: bench.createFolder() };
    const first = await bench.startServer(env);
    const api = createApi(first.origin);
    const { id } = await api.sessions.create.mutate({});
    await api.messages.send.mutate({ sessionId: id, clientMessageId: 'warm', text: 'Hello' });
    await bench.endRow();
    const starts: number[] = [];
    let memory: number[] = [];
    for (let at = 0; at < STARTS; at++) {
      const startedAtMs = performance.now();
      const server = await bench.startServer(env);
      const { status } = await fetch(`${server.origin}/healthz`);
      if (status !== 200) throw new Error(`/healthz answered ${status}`);
      starts.push(performance.now() - startedAtMs);
      if (at === STARTS - 1) {
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
        memory = allMemoryOf(server);
      }
      await bench.endRow();
    }
    const commands: number[] = [];
    for (let at = 0; at < STARTS; at++) commands.push(await npmStart(env));
    const total = memory.reduce((sum, part) => sum + part, 0);
    const startMs = median(starts);
    const commandMs = median(commands);
    return {
      measured: `${format(total)} MB (${memory.map(format).join(' + ')}); ${format(startMs / 1000)} s; ${format(commandMs / 1000)} s`,
      passed: total <= 300 && startMs <= 3_000 && commandMs <= 5_000,
      values: { memoryMb: total, startMs, commandMs },
    };
  },
};
