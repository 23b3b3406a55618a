import type { Page } from '@playwright/test';
import { openContext } from '../lib/browser';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';
import { format, median, quantile } from '../lib/stats';

const MESSAGES = 1_000;
const SESSIONS = 12;
/** Opened first, so that code and caches are warm; not counted. */
const WARM_UP = 3;

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

/** Scrolls to the top, which loads older messages above, and answers how far what was in view moved, in pixels. */
function prepend(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const scroller = document.querySelector<HTMLElement>('section[aria-label="Conversation"]');
    if (scroller === null) throw new Error('no conversation');
    for (let at = 0; at < 20; at++) await new Promise(requestAnimationFrame);
    scroller.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    const anchor = [...scroller.querySelectorAll<HTMLElement>('strong')].find(
      (element) => element.getBoundingClientRect().top >= scroller.getBoundingClientRect().top,
    );
    if (anchor === undefined) throw new Error('no message in view');
    const top = anchor.getBoundingClientRect().top;
    const height = scroller.scrollHeight;
    let worst = 0;
    for (let at = 0; at < 300; at++) {
      await new Promise(requestAnimationFrame);
      worst = Math.max(worst, Math.abs(anchor.getBoundingClientRect().top - top));
      if (at > 60 && scroller.scrollHeight > height) break;
    }
    if (scroller.scrollHeight <= height) throw new Error('nothing was loaded above');
    return anchor.isConnected ? worst : Number.POSITIVE_INFINITY;
  });
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
