import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createApi } from '../../server/testing/wire-client';
import { openContext } from '../lib/browser';
import { orderText, proseText, type StreamOrder } from '../lib/model-process';
import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';

const KEYS = 40;
const SEGMENTS = 4;
const PAUSE_MS = 60;

/** Notes, for every key, the milliseconds from its event to the task after the next painted frame. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { keyTimes: times });
    window.addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp))),
      { capture: true },
    );
  });
}

/** Types a while; answers what each key took. */
async function type(page: Page): Promise<number[]> {
  await page.bringToFront();
  await page.getByRole('textbox').first().focus();
  for (let at = 0; at < KEYS; at++) await page.keyboard.type('abcde '.charAt(at % 6), { delay: PAUSE_MS });
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return (window as unknown as { keyTimes: number[] }).keyTimes.splice(0);
  });
}

/** Sends an order and waits until some of the answer is there. */
async function stream(page: Page, api: ReturnType<typeof createApi>, sessionId: string, order: StreamOrder) {
  await api.messages.send.mutate({ sessionId, clientMessageId: randomUUID(), text: orderText(order) });
  await page
    .getByRole('log')
    .getByText(order.isProse === true ? proseText(0) : '0020@')
    .first()
    .waitFor();
}

/**
 * Typing must not suffer from the answer that streams above it: prose at 50 tokens a second. For information also the
 * hardest case, tokens of 17 characters in one paragraph: nearly every change of it scrolls the page by a line.
 */
export const keyPressRow: Row = {
  id: 'key-press',
  what: 'key press to paint while a reply streams, against a bare textarea in the same browser',
  figure: 'p95 ratio ≤ 2',
  async run(bench) {
    const model = await bench.model();
    const { origin } = await bench.startServer({
      DATABASE_URL: await bench.createDatabase(),
      OPENAI_BASE_URL: model.openAiBaseUrl,
      NAVI_MODEL: 'openai/gpt-test',
    });
    const context = await openContext(await bench.browser());
    const bare = await context.newPage();
    await bare.setContent('<textarea rows="4" cols="60"></textarea>');
    await watchKeys(bare);

    const api = createApi(origin);
    const { id } = await api.sessions.create.mutate({ name: 'Typing' });
    const page = await context.newPage();
    await page.goto(`${origin}/s/${id}`);
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    await watchKeys(page);
    const times: Record<'bare' | 'prose' | 'hardest', number[]> = { bare: [], prose: [], hardest: [] };
    for (const kind of ['prose', 'hardest'] as const) {
      await stream(page, api, id, { tokens: 100_000, tokensPerSecond: 50, isProse: kind === 'prose' });
      // In turns, so that a slow moment of the machine hits both alike; the first of each warms up.
      for (let segment = 0; segment <= SEGMENTS; segment++) {
        const [withReply, without] = [await type(page), await type(bare)];
        if (segment === 0) continue;
        times[kind].push(...withReply);
        times.bare.push(...without);
      }
      await api.runs.stop.mutate({ sessionId: id });
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    }
    await context.close();
    const p95 = (kind: keyof typeof times) => quantile(times[kind], 0.95);
    const ratio = p95('prose') / p95('bare');
    return {
      measured: `p95 ${format(p95('prose'))} ms against ${format(p95('bare'))} ms, ratio ${format(ratio)} (p50 ${format(median(times.prose))} / ${format(median(times.bare))} ms); hardest case ${format(p95('hardest') / p95('bare'))}`,
      passed: ratio <= 2,
      values: { p95Ms: p95('prose'), bareP95Ms: p95('bare'), ratio, hardestP95Ms: p95('hardest') },
    };
  },
};
