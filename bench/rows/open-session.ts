import type { Page } from '@playwright/test';
import { openContext } from '../lib/browser';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';
import { format, median, quantile } from '../lib/stats';

const MESSAGES = 1_000;
const SESSIONS = 12;
/** Opened first, so that code and caches are warm; not counted. */
const WARM_UP = 3;
/** Pixels of one turn of the wheel, and the least that a page of older messages adds. */
const WHEEL_PX = 200;
const OLDER_PAGE_PX = 2_000;

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

/** Where the conversation stands, and where one message of it, still in view, stands on the screen. */
const look = (page: Page, anchorText: string | null) =>
  page.evaluate((text) => {
    const scroller = document.querySelector<HTMLElement>('section[aria-label="Conversation"]');
    if (scroller === null) throw new Error('no conversation');
    const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 3;
    const anchor = [...scroller.querySelectorAll<HTMLElement>('strong')].find((element) =>
      text === null ? element.getBoundingClientRect().top >= middle : element.textContent === text,
    );
    return {
      scrollTop: scroller.scrollTop,
      scrollHeight: scroller.scrollHeight,
      text: anchor?.textContent ?? null,
      top: anchor?.getBoundingClientRect().top ?? Number.NaN,
    };
  }, anchorText);

/** Scrolls up with the wheel until older messages join above, and answers how far what was in view moved by it, in pixels. */
async function prepend(page: Page): Promise<number> {
  await page.mouse.move(800, 300);
  const wheel = async (pixels: number) => {
    await page.mouse.wheel(0, -pixels);
    await page.waitForTimeout(100);
  };
  for (let at = 0; at < 400; at++) {
    const before = await look(page, null);
    await wheel(WHEEL_PX);
    const after = await look(page, before.text);
    if (after.scrollHeight - before.scrollHeight < OLDER_PAGE_PX) continue;
    // Until everything that joined has its measured height.
    await page.waitForTimeout(500);
    const settled = await look(page, before.text);
    return Math.abs(settled.top - (before.top + WHEEL_PX));
  }
  throw new Error('nothing was loaded above');
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
