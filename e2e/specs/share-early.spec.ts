/** The first screen of a share as the server draws it, and how the page takes it over. */
import type { Browser, Page } from '@playwright/test';
import { createGate, text, toolCall } from '../fixtures/model-servers';
import { png } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';
import { ShareDialog } from '../pages/share-page';

/** The page while its scripts are on their way; `arrive` lets them come and answers once they have taken over. */
async function openEarly(browser: Browser, url: string): Promise<{ page: Page; arrive(): Promise<void> }> {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 900, height: 700 } });
  const scripts = createGate();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await scripts.opened;
    await route.continue();
  });
  // The very first view of a server is left to the page, until what draws is loaded.
  const drawn = () => page.request.post('/api/shared/view', { data: { token: url.split('#share=')[1] } });
  await expect.poll(async () => (await (await drawn()).json()).html).not.toBe('');
  await page.goto(url, { waitUntil: 'commit' });
  await expect(page.getByRole('main')).toBeVisible();
  return {
    page,
    async arrive() {
      scripts.open();
      // Moments are left blank by the server, as they depend on the reader's clock.
      await expect(page.locator('main time').last()).toHaveText(/\d/);
    },
  };
}

/** Where the rows stand in the window, in pixels. */
const places = (page: Page) =>
  page.locator('main > div').evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().top)));

test('nothing moves when the page takes over: pictures and artifacts have their room from the start', async ({
  chat,
  model,
  page,
  browser,
}) => {
  const files = new FilesPage(page);
  model.setScript(({ messages, lastUserText }) => {
    if (!lastUserText.startsWith('Publish')) return 'A name';
    return messages.at(-1)?.role === 'tool'
      ? [text('There it is.')]
      : [toolCall('content_publish', { path: 'image_1.png' })];
  });
  await chat.openNew();
  await files.paste(png('wide.png', [200, 60, 50], 1600, 300), png('tall.png', [70, 150, 60], 100, 600));
  await expect(files.attached).toHaveCount(2);
  await chat.send('Publish the first one');
  await expect(chat.text('There it is.')).toBeVisible();
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();

  const share = await openEarly(browser, url);
  const early = await places(share.page);
  expect(early.length).toBeGreaterThan(3);
  await share.arrive();
  const images = share.page.getByRole('list', { name: 'Images' }).getByRole('img');
  await expect(images).toHaveCount(2);
  await expect(share.page.getByRole('article').getByRole('img')).toBeVisible();
  await expect.poll(() => places(share.page)).toEqual(early);
  await share.page.close();
});

test('who scrolled before the scripts came stays where they are', async ({ chat, model, page, browser }) => {
  const answer = Array.from({ length: 12 }, (_, index) => `Line ${index + 1}.`).join('\n\n');
  model.setScript(({ lastUserText }) => `Answer to ${lastUserText}.\n\n${answer}`);
  const sessionId = await chat.start('question 1');
  await expect(chat.copyAnswer()).toBeVisible();
  for (let turn = 2; turn <= 20; turn++) {
    const data = { sessionId, clientMessageId: crypto.randomUUID(), text: `question ${turn}` };
    expect((await page.request.post('/trpc/messages.send', { data })).ok()).toBe(true);
  }
  await expect(chat.text('Answer to question 20.')).toBeVisible({ timeout: 45_000 });
  await expect(chat.stopButton).toHaveCount(0);
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();

  const share = await openEarly(browser, url);
  await expect(share.page.getByText('Line 12.').last()).toBeInViewport();
  const read = share.page.getByText('Answer to question 19.');
  await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const before = await read.evaluate((element) => element.getBoundingClientRect().top);
  await share.arrive();
  // The rows above have joined.
  await expect(share.page.getByText('Answer to question 6.')).toBeAttached();
  await expect
    .poll(async () => Math.abs((await read.evaluate((element) => element.getBoundingClientRect().top)) - before))
    .toBeLessThanOrEqual(1);
  await share.page.close();
});
