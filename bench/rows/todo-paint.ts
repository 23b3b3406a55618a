import type { Browser, Page } from '@playwright/test';
import { createApi } from '../../server/testing/wire-client';
import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';

const CHANGES = 60;
const WARM_UP = 10;
const STEPS = 20;

/** From the press that ticks a step in one tab to the frame that shows it in another: two people look at one plan. */
export const todoPaintRow: Row = {
  id: 'todo-paint',
  what: 'todo update to paint in another tab',
  figure: 'p50 ≤ 60 ms',
  async run(bench) {
    const server = await bench.startServer({ DATABASE_URL: await bench.createDatabase() });
    const api = createApi(server.origin);
    const { id } = await api.sessions.create.mutate({ name: 'Bench' });
    await api.todos.set.mutate({
      sessionId: id,
      tasks: Array.from({ length: STEPS }, (_, index) => ({ text: `Step number ${index + 1} of the plan` })),
    });
    const browser = await bench.browser();
    const [writer, reader] = [await openPlan(browser, server.origin, id), await openPlan(browser, server.origin, id)];
    const delays: number[] = [];
    for (let at = 0; at < CHANGES; at++) {
      const position = (at % STEPS) + 1;
      const isDone = at % (2 * STEPS) < STEPS;
      const painted = untilPainted(reader, position, isDone);
      await painted.watching;
      const pressedAtMs = await press(writer, position);
      const delayMs = (await painted.atMs) - pressedAtMs;
      if (at >= WARM_UP) delays.push(delayMs);
    }
    const p50Ms = median(delays);
    const p95Ms = quantile(delays, 0.95);
    return {
      measured: `p50 ${format(p50Ms)} ms (p95 ${format(p95Ms)} ms)`,
      passed: p50Ms <= 60,
      values: { p50Ms, p95Ms },
    };
  },
};

/** A page with the plan beside the chat. Contexts of their own: a page behind another one paints nothing. */
async function openPlan(browser: Browser, origin: string, sessionId: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${origin}/s/${sessionId}`);
  await page
    .getByRole('checkbox')
    .nth(STEPS - 1)
    .waitFor();
  return page;
}

/** Presses a step's box; answers when, in milliseconds since the epoch. */
const press = (page: Page, position: number): Promise<number> =>
  page.evaluate((index) => {
    const box = document.querySelectorAll<HTMLElement>('#dock [role=checkbox]')[index];
    const atMs = performance.timeOrigin + performance.now();
    box?.click();
    return atMs;
  }, position - 1);

/** Watches a step from before the press: when the frame that shows its new state was on screen, in milliseconds since the epoch. */
function untilPainted(page: Page, position: number, isDone: boolean) {
  const key = `watch-${position}-${isDone}`;
  const watching = page.evaluate(
    ({ index, wanted, name }) => {
      const found = new Promise<number>((resolve) => {
        // No named function in here: the one that names them is not known in the page.
        new MutationObserver((_changes, observer) => {
          const box = document.querySelectorAll('#dock [role=checkbox]')[index];
          if (box?.getAttribute('aria-checked') !== wanted) return;
          observer.disconnect();
          // The change is in the document: its frame comes next, and what runs after that frame's callbacks is after its paint.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
            port2.postMessage(null);
          });
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
      });
      Object.assign(window, { [name]: found });
    },
    { index: position - 1, wanted: String(isDone), name: key },
  );
  const atMs = watching.then(() =>
    page.evaluate((name) => (window as unknown as Record<string, Promise<number>>)[name] as Promise<number>, key),
  );
  return { watching, atMs };
}
