import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    globalSetup: ['server/testing/database-setup.ts'],
    pool: 'forks',
    // Starting an embedded engine takes a second, and ten on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A test that passes alone and fails in company tells too little: no retries.
    retry: 0,
  },
});
