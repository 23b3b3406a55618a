import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { openContext } from '../lib/browser';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';
import { format, median } from '../lib/stats';

declare global {
  interface Window {
    naviPaintedAtMs: Promise<number>;
  }
}

const LIMIT_KB = 130;
const LIMIT_MS = 300;
const MESSAGES = 1_000;
const ROUNDS = 15;

async function issue(origin: string, sessionId: string): Promise<string> {
  const answer = await fetch(`${origin}/trpc/shares.issue`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId }),
  });
  return ((await answer.json()) as { result: { data: { url: string } } }).result.data.url;
}

/** Bytes of everything that a first load fetches, gzip, the answer of the API included. */
async function loadedKilobytes(page: Page, url: string): Promise<{ kilobytes: number; files: number }> {
  const sizes = new Map<string, number>();
  const reading: Promise<void>[] = [];
  page.on('response', (response) => {
    reading.push(
      response.body().then(
        (body) => void sizes.set(response.url(), gzipSync(body).byteLength),
        // A redirect of the page's own has no body.
        () => undefined,
      ),
    );
  });
  await page.goto(url);
  await page.getByText(`Message ${MESSAGES}`).waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(reading);
  return { kilobytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000, files: sizes.size };
}

/**
 * Milliseconds from following the link to the frame with the newest message. The page itself looks at each of its frames: asked from
 * here, it would answer only after it has loaded, and by way of the browser.
 */
async function paintMs(page: Page, url: string): Promise<number> {
  await page.addInitScript((text) => {
    window.naviPaintedAtMs = (async () => {
      while (!document.body?.textContent?.includes(text)) await new Promise(requestAnimationFrame);
      // The frame that shows it is painted before the task that follows it.
      await new Promise((resolve) => setTimeout(resolve));
      return Date.now();
    })();
  }, `Message ${MESSAGES}`);
  const startedAtMs = Date.now();
  await page.goto(url);
  return (await page.evaluate(() => window.naviPaintedAtMs)) - startedAtMs;
}

/** How far what is in view moves when older messages join above while nobody scrolls, in pixels. */
async function driftPx(page: Page): Promise<number> {
  const before = await page.evaluate(() => {
    // Near enough to the beginning that the page above is asked for.
    window.scrollTo(0, 1_200);
    const anchor = [...document.querySelectorAll('strong')].find(
      (element) => element.getBoundingClientRect().top >= 200,
    );
    if (anchor === undefined) throw new Error('no message in view');
    const { top } = anchor.getBoundingClientRect();
    return { text: anchor.textContent, top, height: document.documentElement.scrollHeight };
  });
  await page.waitForFunction((height) => document.documentElement.scrollHeight > height + 2_000, before.height);
  // Until everything that joined has its height.
  await page.waitForTimeout(500);
  const top = await page.evaluate(
    (text) =>
      [...document.querySelectorAll('strong')].find((element) => element.textContent === text)?.getBoundingClientRect()
        .top,
    before.text,
  );
  return Math.abs((top ?? Number.NaN) - before.top);
}

export const sharePageRow: Row = {
  id: 'share-page',
  what: 'a share, from its link on: everything of the first load, gzip; newest page painted, browser new each time',
  figure: `≤ ${LIMIT_KB} kB; ≤ ${LIMIT_MS} ms; 0 px drift on prepending`,
  async run(bench) {
    const database = await bench.createDatabase();
    await seedSession(database, 'shared', MESSAGES);
    const { origin } = await bench.startServer({ DATABASE_URL: database });
    const url = await issue(origin, 'shared');
    const browser = await bench.browser();
    const times: number[] = [];
    let size = { kilobytes: 0, files: 0 };
    let drift = Number.NaN;
    // The first visit of all is not drawn by the server yet, which loads what draws it.
    for (let round = -1; round <= ROUNDS; round++) {
      const context = await openContext(browser);
      const page = await context.newPage();
      if (round === -1) await paintMs(page, url);
      else if (round === 0) {
        size = await loadedKilobytes(page, url);
        drift = await driftPx(page);
      } else times.push(await paintMs(page, url));
      await context.close();
    }
    const tookMs = median(times);
    const { kilobytes, files } = size;
    return {
      measured: `${kilobytes.toFixed(0)} kB in ${files} requests; p50 ${format(tookMs)} ms; ${format(drift)} px`,
      passed: kilobytes <= LIMIT_KB && tookMs <= LIMIT_MS && drift < 1,
      values: { kilobytes, files, paintMs: tookMs, driftPx: drift },
    };
  },
};
