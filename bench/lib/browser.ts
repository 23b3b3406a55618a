/** A real Chromium for the rows that only a browser can measure. */
import { type Browser, type BrowserContext, chromium } from '@playwright/test';

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
];

/** `executablePath`: the browser that `npm run bench` found; undefined for Playwright's own. */
export function launchBrowser(executablePath: string | undefined): Promise<Browser> {
  // Chromium's sandbox does not work for root, as in containers.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...flags, ...(isRoot ? ['--no-sandbox'] : [])],
  });
}

export const openContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
