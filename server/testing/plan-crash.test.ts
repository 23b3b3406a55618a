import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlanSeries, startPlanSeries } from '../../e2e/crash/plan-series';
import { createEmbeddedFolder } from './database';

/** Starting a server twice, on a machine that runs other tests beside. */
const TIMEOUT_MS = 300_000;

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
      const report = await series.crash(state, null);
      // The agent rests in the state until the kill: nothing newer can have been saved.
      expect(report.revision).toBe(report.seenRevision);
      expect(report.wasInMidStep).toBe(state === 'in_progress');
      expect(report.notes).toBe(state === 'in_progress' ? 1 : 0);
    },
    TIMEOUT_MS,
  );
});
