import type { Page } from '@playwright/test';
import { openContext } from '../lib/browser';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';
import { format, median, quantile } from '../lib/stats';

const MESSAGES = 1_000;
const SESSIONS = 12;
/** Opened first, so that code and caches are warm; not counted. */
const WARM_UP = 3;
const CONVERSATION = 'section[aria-label="Conversation"]';
/** How far from the beginning the reader stops, in pixels: the page above is asked for, and there is none yet. */
const STOP_AT_PX = 1_000;
/** The least that a page of older messages adds, in pixels. */
const OLDER_PAGE_PX = 2_000;
/** Frames without a change that count as rest. */
const STILL_FRAMES = 30;

/** Clicks a chat in the sidebar and answers milliseconds until a frame with its newest message was painted. */
function open(page: Page, sessionId: string, newest: string): Promise<number> {
  return page.evaluate(
    async ({ href, text }) => {
      const link = document.querySelector<HTMLAnchorElement>(`a[href="${href}"]`);
      if (link === null) throw new Error(`no link to ${href}`);
      const startedAtMs = performance.now();
      link.click();
      for (;;) {
        await new Promise(requestAnimationFrame);
        const isThere =
          location.pathname === href && document.querySelector('[role="log"]')?.textContent?.includes(text);
        if (!isThere) continue;
        // The frame that shows it is painted before the task that follows it.
        await new Promise((resolve) => setTimeout(resolve));
        return performance.now() - startedAtMs;
      }
    },
    { href: `/s/${sessionId}`, text: newest },
  );
}

/**
 * Reads the page of older messages while the reader stands still, and answers the furthest that what they look at moved in
 * any frame, in pixels. The server's answer is held until the wheel has come to rest: nothing else scrolls.
 */
async function prepend(page: Page): Promise<number> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/messages\.page/, async (route) => {
    await released;
    await route.continue();
  });
  const asked = page.waitForRequest(/messages\.page/);
  const scrollTop = await page.locator(CONVERSATION).evaluate((scroller) => scroller.scrollTop);
  await page.mouse.move(800, 300);
  await page.mouse.wheel(0, STOP_AT_PX - scrollTop);
  await asked;
  const drift = await page.locator(CONVERSATION).evaluateHandle(
    async (scroller, { stillFrames, olderPagePx }) => {
      let still = 0;
      for (let last = Number.NaN; still < stillFrames; last = scroller.scrollTop) {
        await new Promise(requestAnimationFrame);
        still = scroller.scrollTop === last ? still + 1 : 0;
      }
      const view = scroller.getBoundingClientRect();
      const anchor = [...scroller.querySelectorAll('strong')].find((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= view.top && bottom <= view.bottom;
      });
      if (anchor === undefined) throw new Error('no message in view');
      const text = anchor.textContent;
      const { top } = anchor.getBoundingClientRect();
      const height = scroller.scrollHeight;
      return {
        // Until the older messages are there and everything that joined has its measured height.
        px: (async () => {
          let driftPx = 0;
          still = 0;
          for (let last = Number.NaN; scroller.scrollHeight < height + olderPagePx || still < stillFrames; ) {
            await new Promise(requestAnimationFrame);
            // Found anew each time: rows may be made anew on the way. None at all is the furthest away.
            const now = [...scroller.querySelectorAll('strong')].find(({ textContent }) => textContent === text);
            driftPx = Math.max(driftPx, Math.abs((now?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) - top));
            still = scroller.scrollHeight === last ? still + 1 : 0;
            last = scroller.scrollHeight;
          }
          return driftPx;
        })(),
      };
    },
    { stillFrames: STILL_FRAMES, olderPagePx: OLDER_PAGE_PX },
  );
  release();
  return drift.evaluate(({ px }) => px);
}

export const openSessionRow: Row = {
  id: 'open-session',
  what: 'open a session of 1,000 messages (client warm) to newest page painted',
  figure: '≤ 150 ms; DOM nodes ≤ 1,500; 0 px drift on prepending',
  async run(bench) {
    const url = await bench.createDatabase();
    const ids = Array.from({ length: SESSIONS }, (_, index) => `thousand-${index}`);
    for (const id of ids) await seedSession(url, id, MESSAGES);
    const { origin } = await bench.startServer({ DATABASE_URL: url });
    const context = await openContext(await bench.browser());
    const page = await context.newPage();
    await page.goto(origin);
    await page.locator(`a[href="/s/${ids[0]}"]`).waitFor();
    const times: number[] = [];
    const nodes: number[] = [];
    for (const [index, id] of ids.entries()) {
      const tookMs = await open(page, id, `Message ${MESSAGES}`);
      if (index < WARM_UP) continue;
      times.push(tookMs);
      nodes.push(await page.evaluate(() => document.querySelectorAll('*').length));
    }
    const driftPx = await prepend(page);
    await context.close();
    const tookMs = median(times);
    const mostNodes = Math.max(...nodes);
    return {
      measured: `p50 ${format(tookMs)} ms (p95 ${format(quantile(times, 0.95))}); ${mostNodes} nodes; ${format(driftPx)} px`,
      passed: tookMs <= 150 && mostNodes <= 1_500 && driftPx < 1,
      values: { openMs: tookMs, nodes: mostNodes, driftPx },
    };
  },
};
