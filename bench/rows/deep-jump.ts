import type { Page } from '@playwright/test';
import { openContext } from '../lib/browser';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';
import { format, median } from '../lib/stats';

const MESSAGES = 10_000;
/** Places that are jumped to, far from the newest messages and from one another. */
const PLACES = [4_800, 1_200, 7_300, 300, 5_900];
const CONVERSATION = 'section[aria-label="Conversation"]';
/** Frames without a change that count as rest. */
const STILL_FRAMES = 30;
const FIGURE_MS = 500;

/** Asks the open chat for a place, as a link from another chat does, and answers milliseconds until it stands in view. */
function jump(page: Page, sequenceNumber: number): Promise<number> {
  return page.evaluate(
    async ({ hash, text, selector }) => {
      const startedAtMs = performance.now();
      location.hash = hash;
      for (;;) {
        await new Promise(requestAnimationFrame);
        const view = document.querySelector(selector)?.getBoundingClientRect();
        const found = [...document.querySelectorAll('strong')].find(({ textContent }) => textContent === text);
        const { top = -1, bottom = 0 } = found?.getBoundingClientRect() ?? {};
        if (view === undefined || top < view.top || bottom > view.bottom) continue;
        await new Promise((resolve) => setTimeout(resolve));
        return performance.now() - startedAtMs;
      }
    },
    { hash: `#m${sequenceNumber}`, text: `Message ${sequenceNumber}`, selector: CONVERSATION },
  );
}

/** Scrolls by hand from a place through what was not read yet, and answers the furthest that anything in view was moved by it. */
function scrollThrough(page: Page, deltaPx: number): Promise<number> {
  return page.locator(CONVERSATION).evaluate(
    async (scroller, { by, stillFrames }) => {
      const view = scroller.getBoundingClientRect();
      let driftPx = 0;
      for (let turn = 0; turn < 12; turn++) {
        scroller.scrollBy(0, by);
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        const anchor = [...scroller.querySelectorAll('strong')].find((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= view.top && bottom <= view.bottom;
        });
        if (anchor === undefined) throw new Error('no message in view');
        const text = anchor.textContent;
        const { top } = anchor.getBoundingClientRect();
        for (let still = 0, last = Number.NaN; still < stillFrames; ) {
          await new Promise(requestAnimationFrame);
          const now = [...scroller.querySelectorAll('strong')].find(({ textContent }) => textContent === text);
          driftPx = Math.max(driftPx, Math.abs((now?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) - top));
          still = scroller.scrollHeight === last ? still + 1 : 0;
          last = scroller.scrollHeight;
        }
      }
      return driftPx;
    },
    { by: deltaPx, stillFrames: STILL_FRAMES },
  );
}

export const deepJumpRow: Row = {
  id: 'deep-jump',
  what: 'jump to a message far up in a session of 10,000, to the place painted; then read on in both directions',
  figure: `≤ ${FIGURE_MS} ms; 0 px drift`,
  async run(bench) {
    const url = await bench.createDatabase();
    await seedSession(url, 'long', MESSAGES);
    const { origin } = await bench.startServer({ DATABASE_URL: url });
    const context = await openContext(await bench.browser());
    const page = await context.newPage();
    const times: number[] = [];
    const drifts: number[] = [];
    for (const [index, place] of PLACES.entries()) {
      await page.goto(`${origin}/`);
      await page.goto(`${origin}/s/long`);
      await page.getByText(`Message ${MESSAGES}`, { exact: true }).waitFor();
      times.push(await jump(page, place));
      if (index < 2) drifts.push(await scrollThrough(page, index === 0 ? 900 : -900));
    }
    // Up from the end, past where the gap was.
    await page.locator(CONVERSATION).evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    // By wheel, so that the end is not followed any more.
    await page.mouse.move(800, 300);
    await page.mouse.wheel(0, -400);
    drifts.push(await scrollThrough(page, -900));
    await context.close();
    const tookMs = median(times);
    const driftPx = Math.max(...drifts);
    return {
      measured: `p50 ${format(tookMs)} ms; ${drifts.map(format).join(', ')} px downwards, upwards, from the end`,
      passed: tookMs <= FIGURE_MS && driftPx < 1,
      values: { jumpMs: tookMs, driftPx },
    };
  },
};
