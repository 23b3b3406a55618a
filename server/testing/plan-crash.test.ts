import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlanSeries, startPlanSeries } from '../../e2e/crash/plan-series';
import { createEmbeddedFolder } from './database';

/** Starting a server twice, on a machine that runs other tests beside. */
const TIMEOUT_MS = 120_000;

describe('SIGKILL in the middle of a plan', () => {
  let dataDir: string;
  let series: PlanSeries;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'navi-plan-crash-'));
    const { folder } = await createEmbeddedFolder();
    await rename(folder, join(dataDir, 'database'));
    series = await startPlanSeries(dataDir);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await series?.close();
    await rm(dataDir, { recursive: true, force: true });
  }, TIMEOUT_MS);

  // The soak goes through all five states, thirty times.
  it.each(['pending', 'in_progress', 'done'] as const)(
    'when a step is %s: the plan is intact, the note comes once, the work goes on to its end',
    async (state) => {
      const report = await series.crash(state, 0);
      expect(report.revision).toBeGreaterThanOrEqual(report.seenRevision);
      expect(report.notes).toBe(report.wasInMidStep ? 1 : 0);
      // Work takes longer than the way of an event to the subscriber.
      if (state === 'in_progress') expect(report.wasInMidStep).toBe(true);
    },
    TIMEOUT_MS,
  );
});
