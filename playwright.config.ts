import { defineConfig } from '@playwright/test';

/** End to end: a real Chromium, the built server, and a scripted model endpoint as the only fake. */
export default defineConfig({
  testDir: 'e2e/specs',
  outputDir: 'test-results',
  // Each worker starts a server of its own; on a small machine more than one would only wait for the other.
  workers: 1,
  // A busy machine stands still for seconds; a test that passes does not wait any longer for these.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // A seventh of the time of a run goes into recording: `npx playwright test --trace on` where a failure needs a closer look.
    trace: 'off',
    launchOptions: {
      ...(process.env.NAVI_TEST_BROWSER ? { executablePath: process.env.NAVI_TEST_BROWSER } : {}),
      args: [
        // Chromium's sandbox does not work for root, as in containers.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // Models are drawn by WebGL, here without a graphics card.
        '--enable-unsafe-swiftshader',
        '--use-angle=swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
