/** The long series: `npm run soak`. Kills on both engines, then a load; ends with `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../server/database/migrate';
import { startPostgresServer } from '../../server/testing/postgres-server';
import type { CrashReport } from './crash-round';
import { type CrashSeries, startEmbeddedSeries, startPostgresSeries } from './crash-series';
import { runLoad } from './load-series';
import { planMoment, startPlanSeries } from './plan-series';

const { values: options } = parseArgs({
  options: {
    /** Kills on each engine. */
    kills: { type: 'string', default: '50' },
    /** Kills in the middle of plans. */
    'plan-kills': { type: 'string', default: '30' },
    /** Kills in the middle of compressions, on each engine. */
    'compression-kills': { type: 'string', default: '30' },
    /** Minutes of load. */
    minutes: { type: 'string', default: '30' },
    /** `embedded`, `postgres`, `plans`, `compressions` or `load`, by commas. */
    only: { type: 'string', default: 'embedded,postgres,plans,compressions,load' },
    /** Where in the answers the kills fall (0 to 1) instead of at random: to see a failure again. */
    share: { type: 'string' },
    /** The built server; the sources otherwise. */
    entry: { type: 'string' },
  },
});
const parts = options.only.split(',');
const entry = options.entry === undefined ? {} : { entry: options.entry };
/** Milliseconds of text, at most, that a crash may take with it. */
const LONGEST_TAIL_MS = 500;
let passed = 0;
let failed = 0;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function attempt(name: string, work: () => Promise<string>): Promise<void> {
  try {
    say(`pass  ${name}: ${await work()}`);
    passed++;
  } catch (error) {
    say(`FAIL  ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    failed++;
  }
}

async function crashMany(engine: string, open: () => Promise<CrashSeries>): Promise<void> {
  let series = await open();
  const tails: number[] = [];
  for (let kill = 1; kill <= Number(options.kills); kill++) {
    const share = options.share === undefined ? Math.random() : Number(options.share);
    const failures = failed;
    await attempt(`${engine}, kill ${kill}, ${share.toFixed(4)} of the way`, async () => {
      const report: CrashReport = await series.crash(share);
      tails.push(report.lostTailMs);
      if (report.lostTailMs > LONGEST_TAIL_MS) throw new Error(`${Math.round(report.lostTailMs)} ms of text are lost`);
      return `${report.cut} answers cut, ${report.acknowledged} messages, tail ${Math.round(report.lostTailMs)} ms`;
    });
    if (failed === failures) continue;
    // What a failed kill left behind must not fail the next ones.
    await series.close().catch(() => undefined);
    series = await open();
  }
  await series.close();
  if (tails.length > 0) say(`      ${engine}: longest tail ${Math.round(Math.max(...tails))} ms`);
}

async function crashPlans(): Promise<void> {
  const open = () => startPlanSeries(mkdtempSync(join(folder, 'plans-')), entry);
  let series = await open();
  for (let kill = 1; kill <= Number(options['plan-kills']); kill++) {
    const { state, delayMs } = planMoment(kill - 1);
    const where = delayMs === null ? `resting in ${state}` : `${Math.round(delayMs)} ms after ${state}`;
    const failures = failed;
    await attempt(`plans, kill ${kill}, ${where}`, async () => {
      const { revision, notes } = await series.crash(state, delayMs);
      return `revision ${revision} as it was, ${notes === 1 ? 'one recovery note' : 'no recovery note'}`;
    });
    if (failed === failures) continue;
    await series.close().catch(() => undefined);
    series = await open();
  }
  await series.close();
}

/** The series of `npm test`, longer. It checks itself after every kill; its own report says at which one it failed. */
async function crashCompressions(): Promise<string> {
  const kills = options['compression-kills'];
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'server/domains/compression/crash.test.ts'],
    {
      stdio: 'inherit',
      env: { ...process.env, NAVI_TEST_KILLS: kills, ...(options.entry && { NAVI_TEST_ENTRY: options.entry }) },
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('see above');
  return `${kills} on each engine: the old context or the new one, never half`;
}

const folder = mkdtempSync(join(tmpdir(), 'navi-soak-'));
const postgres = parts.some((part) => part === 'postgres' || part === 'load')
  ? await startPostgresServer({ durable: true })
  : null;
let databases = 0;
async function createDatabase(): Promise<string> {
  if (postgres === null) throw new Error('no PostgreSQL was started');
  const url = await postgres.createDatabase(`navi_soak_${++databases}`);
  await migrate({ url, engine: 'postgres' });
  return url;
}
try {
  if (parts.includes('embedded'))
    await crashMany('embedded', () => startEmbeddedSeries(mkdtempSync(join(folder, 'data-')), entry));
  if (parts.includes('postgres'))
    await crashMany('postgres', async () => startPostgresSeries(await createDatabase(), entry));
  if (parts.includes('plans')) await crashPlans();
  if (parts.includes('compressions')) await attempt('kills during compressions', crashCompressions);
  if (parts.includes('load')) {
    const minutes = Number(options.minutes);
    await attempt(`load, ${minutes} minutes`, async () =>
      runLoad({ ...entry, databaseUrl: await createDatabase(), minutes, say }),
    );
  }
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
say(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
