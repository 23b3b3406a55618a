/** The browser of the end-to-end tests, for rows that end on a screen. */
import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from '@playwright/test';

/** Starts a Chromium, found or installed as the tests do it. */
export async function launchBrowser(): Promise<Browser> {
  const script = `import { findOrInstallBrowser } from './scripts/lib/browser.mjs'; console.log(await findOrInstallBrowser());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const executablePath = stdout.trim().split('\n').at(-1) ?? '';
  if (executablePath === '' || executablePath === 'null') throw new Error('there is no Chromium here');
  // Chromium's sandbox does not work for root, as in containers.
  const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args });
}
