import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute or two, most of it waiting. Begun last, one of them would run alone at the end. */
const long = /\/(crash|embedded|hostile-documents|\w+\.browser)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const isLong = (file: TestSpecification) => long.test(file.moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    globalSetup: ['server/testing/database-setup.ts'],
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    // By default one on two cores; most of a test's time is waiting for a database.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Starting an embedded engine takes a second, and ten on a busy machine; a slow machine may stand still in between. What
    // hangs is found all the same.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // How long a test waits for what is under way before it calls it missing. Vitest's own second is less than a busy
    // machine may stand still; a test that passes does not wait any longer for this.
    expect: { poll: { timeout: 30_000 } },
    // A test that passes alone and fails in company tells too little: no retries.
    retry: 0,
  },
});
