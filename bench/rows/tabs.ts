import { randomUUID } from 'node:crypto';
import { createApi } from '../../server/testing/wire-client';
import { openContext } from '../lib/browser';
import { orderText } from '../lib/model-process';
import type { Row } from '../lib/row';

const TABS = 12;
const TOKENS = 60;

/** Browsers open six connections to a host: streams over plain HTTP would block the seventh tab. */
export const tabsRow: Row = {
  id: 'tabs',
  what: '12 tabs open on one server, one streaming',
  figure: 'all live, a 13th loads',
  async run(bench) {
    const model = await bench.model();
    const { origin } = await bench.startServer({
      DATABASE_URL: await bench.createDatabase(),
      OPENAI_BASE_URL: model.openAiBaseUrl,
      NAVI_MODEL: 'openai/gpt-test',
    });
    const api = createApi(origin);
    const { id } = await api.sessions.create.mutate({ name: 'Tabs' });
    const context = await openContext(await bench.browser());
    const pages = await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        await page.goto(`${origin}/s/${id}`);
        await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
        return page;
      }),
    );
    await api.messages.send.mutate({
      sessionId: id,
      clientMessageId: randomUUID(),
      text: orderText({ tokens: TOKENS, tokensPerSecond: 30 }),
    });
    const last = `${String(TOKENS - 1).padStart(4, '0')}@`;
    const shown = async (page: (typeof pages)[number]) => {
      await page.getByRole('log').getByText(last).first().waitFor({ timeout: 20_000 });
      return true;
    };
    const live = (await Promise.all(pages.map((page) => shown(page).catch(() => false)))).filter(Boolean).length;
    const thirteenth = await context.newPage();
    const loads = await thirteenth
      .goto(`${origin}/s/${id}`)
      .then(() => shown(thirteenth))
      .catch(() => false);
    await context.close();
    return {
      measured: `${live} of ${TABS} live, the 13th ${loads ? 'loads' : 'does not load'}`,
      passed: live === TABS && loads,
      values: { live },
    };
  },
};
