import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrashSeries, startEmbeddedSeries, startPostgresSeries } from '../../e2e/crash/crash-series';
import { createEmbeddedFolder, createPostgresDatabase } from './database';

/** Where in the answers the kills fall: one in each fifth, at a random place within it. The soak has many more. */
const kills = [0, 1, 2, 3, 4].map((fifth) => (fifth + Math.random()) / 5);
/** Starting a server twice, on a machine that runs other tests beside. */
const TIMEOUT_MS = 300_000;

const engines = {
  embedded: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'navi-crash-'));
    const { folder } = await createEmbeddedFolder();
    await rename(folder, join(dataDir, 'database'));
    return {
      series: await startEmbeddedSeries(dataDir),
      remove: () => rm(dataDir, { recursive: true, force: true }),
    };
  },
  postgres: async () => {
    const { url, drop } = await createPostgresDatabase({ migrated: true });
    return { series: await startPostgresSeries(url), remove: drop };
  },
};

describe.each(['embedded', 'postgres'] as const)('SIGKILL in the middle of answers (%s)', (engine) => {
  let series: CrashSeries;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ series, remove } = await engines[engine]());
  }, TIMEOUT_MS);
  afterAll(async () => {
    await series?.close();
    await remove?.();
  }, TIMEOUT_MS);

  it.each(kills)(
    'loses no acknowledged message, settles every run once and stays usable (%d of the way)',
    async (share) => {
      const report = await series.crash(share);
      expect(report.cut).toBeGreaterThan(0);
      // The promise is 0.5 s, which the soak holds to; a machine that is busy with everything else here gets ten times that.
      expect(report.lostTailMs).toBeLessThan(5_000);
    },
    TIMEOUT_MS,
  );
});
