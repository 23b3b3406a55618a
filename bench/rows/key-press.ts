import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createApi } from '../../server/testing/wire-client';
import { openContext } from '../lib/browser';
import { orderText } from '../lib/model-process';
import type { Row } from '../lib/row';
import { format, median, quantile } from '../lib/stats';

const KEYS = 120;
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

async function type(page: Page): Promise<number[]> {
  await watchKeys(page);
  for (let at = 0; at < KEYS; at++) await page.keyboard.type('abcde '.charAt(at % 6), { delay: PAUSE_MS });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  return page.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes);
}

/** Typing must not suffer from the answer that streams above it. */
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
    await bare.setContent('<textarea autofocus rows="4" cols="60"></textarea>');
    await bare.locator('textarea').focus();
    const bareTimes = await type(bare);
    await bare.close();

    const api = createApi(origin);
    const { id } = await api.sessions.create.mutate({ name: 'Typing' });
    const page = await context.newPage();
    await page.goto(`${origin}/s/${id}`);
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    const order = { tokens: 1_500, tokensPerSecond: 50 };
    await api.messages.send.mutate({ sessionId: id, clientMessageId: randomUUID(), text: orderText(order) });
    await page.getByRole('log').getByText('0020@').first().waitFor();
    const times = await type(page);
    await context.close();
    const ratio = quantile(times, 0.95) / quantile(bareTimes, 0.95);
    return {
      measured: `p95 ${format(quantile(times, 0.95))} ms against ${format(quantile(bareTimes, 0.95))} ms, ratio ${format(ratio)} (p50 ${format(median(times))} / ${format(median(bareTimes))} ms)`,
      passed: ratio <= 2,
      values: { p95Ms: quantile(times, 0.95), bareP95Ms: quantile(bareTimes, 0.95), ratio },
    };
  },
};
