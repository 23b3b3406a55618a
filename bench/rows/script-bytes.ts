import { gzipSync } from 'node:zlib';
import { openContext } from '../lib/browser';
import type { Row } from '../lib/row';
import { seedSession } from '../lib/seed';

const LIMIT_KB = 200;
/** What must not load for a message of plain Markdown. */
const HEAVY = /shiki|katex|mermaid|cytoscape|langs|grammar/i;

export const scriptBytesRow: Row = {
  id: 'script-bytes',
  what: 'JavaScript until /s/:id shows rendered Markdown and the network is idle, gzip',
  figure: `≤ ${LIMIT_KB} kB; highlighter, math, diagrams only when a message needs them`,
  async run(bench) {
    const url = await bench.createDatabase();
    await seedSession(url, 'read', 50);
    const { origin } = await bench.startServer({ DATABASE_URL: url });
    const context = await openContext(await bench.browser());
    const page = await context.newPage();
    const sizes = new Map<string, number>();
    const reading: Promise<void>[] = [];
    page.on('response', (response) => {
      if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
      reading.push(
        response.body().then((body) => {
          sizes.set(new URL(response.url()).pathname, gzipSync(body).byteLength);
        }),
      );
    });
    await page.goto(`${origin}/s/read`);
    await page.getByRole('log').locator('strong', { hasText: 'Message 50' }).waitFor();
    await page.waitForLoadState('networkidle');
    await Promise.all(reading);
    await context.close();
    const kilobytes = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000;
    const heavy = [...sizes.keys()].filter((path) => HEAVY.test(path));
    return {
      measured: `${kilobytes.toFixed(0)} kB in ${sizes.size} files${heavy.length === 0 ? '' : `, among them ${heavy.join(', ')}`}`,
      passed: kilobytes <= LIMIT_KB && heavy.length === 0,
      values: { kilobytes, files: sizes.size },
    };
  },
};
