import type { Locator, Page } from '@playwright/test';
import { attack, attackName, attacks, drawn, hostileShare } from '../fixtures/attacks';
import { text, thinking, toolCall } from '../fixtures/model-servers/steps';
import { png, textFile } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';
import { openWithoutScripts, ShareDialog, SharePage, strangersBrowser } from '../pages/share-page';

/** Everything that opens is opened. */
async function unfold(within: Locator): Promise<void> {
  const folded = within.locator('[aria-expanded="false"], details:not([open]) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
  await expect(page.locator('body :is(iframe, script:not([src]), a[href^="javascript"])')).toHaveCount(0);
  // Pictures are files of the chat; another would be one that a text made.
  await expect(page.locator('body img:not([src^="/api/sessions/"], [src^="blob:"])')).toHaveCount(0);
}

test('what tries to attack a reader lies inert in every text of a chat and of its share', async ({
  chat,
  sidebar,
  model,
  page,
  browser,
  navi,
}) => {
  const files = new FilesPage(page);
  const published = `${attackName}.txt`;
  model.setScript((request) => {
    if (!request.lastUserText.includes('attacked')) return 'A name';
    const isAnswered = request.messages.some((message) => message.role === 'tool');
    return isAnswered
      ? [thinking(attacks), text(attacks)]
      : [
          thinking(attacks),
          toolCall('scratchpad', { action: 'write', section: attacks, text: attacks }),
          toolCall('todo', { action: 'set', tasks: [{ text: attack }, { text: attack, status: 'in_progress' }] }),
          toolCall('content_publish', { path: `session_files/${published}`, title: attack }),
          toolCall(attack, { [attack]: attacks }),
        ];
  });
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  const sent = [
    await files.put(sessionId, textFile(published, attacks)),
    await files.put(sessionId, png(`${attackName}.png`, [200, 60, 50])),
  ];
  const answer = await page.request.post('/trpc/messages.send', {
    data: { sessionId, clientMessageId: 'attack', text: attacks, fileIds: sent.map(({ id }) => id) },
  });
  expect(answer.status()).toBe(200);
  // The foot of the second turn.
  await expect(chat.text('4 tools')).toBeVisible();
  await sidebar.openRow.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await field.fill(attack);
  await field.press('Enter');
  await expect(chat.heading).toContainText('<img');
  await unfold(chat.messages);
  await files.openPanel();
  await expect(files.rows).toHaveCount(2);
  // What a card shows is read when the card comes near.
  await files.card(published).scrollIntoViewIfNeeded();
  await expect(files.card(published).getByText('<svg/onload').first()).toBeVisible();
  await expectInert(page);
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();
  await expectInert(page);

  const { context, errors } = await strangersBrowser(browser);
  const share = await SharePage.open(context, url);
  await expect(share.title).toContainText('<img src=x');
  await unfold(share.conversation);
  await expect(share.conversation.getByText('click me').first()).toBeVisible();
  await share.page.waitForLoadState('networkidle');
  for (const words of [`${attackName}.png`, published]) {
    await expect(share.conversation.getByLabel(words).first(), words).toBeVisible();
  }
  await expectInert(share.page);
  const early = await openWithoutScripts(context, url);
  await expect(early.getByRole('heading', { level: 1 })).toContainText('<img src=x');
  await expectInert(early);
  for (const request of share.requests) expect(new URL(request.url()).origin).toBe(navi.url);
  expect(errors).toEqual([]);
  await context.close();
});

test('nor does any field of a share run as anything but text, whoever may come to write it', async ({
  browser,
  navi,
}) => {
  const view = hostileShare();
  const html = await drawn(view);
  const { context, errors } = await strangersBrowser(browser);
  await context.route('**/api/shared/view', (route) => route.fulfill({ json: { view, html } }));
  await context.route('**/api/shared/files', (route) => route.fulfill({ body: attacks, contentType: 'text/plain' }));
  const url = `${navi.url}/#share=${'x'.repeat(43)}`;
  const share = await SharePage.open(context, url);
  await expect(share.title).toHaveText(attack);
  await unfold(share.conversation);
  await share.page.waitForLoadState('networkidle');
  await expect(share.conversation.getByText('click me').first()).toBeVisible();
  await expectInert(share.page);
  // Nothing was lost on the way here: each text stands there to be read.
  await expect(share.page.locator('body')).toContainText(attackName);
  for (const words of ['<iframe srcdoc=', 'Context compressed', attack])
    await expect(share.conversation).toContainText(words);
  const early = await openWithoutScripts(context, url);
  await expect(early.getByRole('heading', { level: 1 })).toHaveText(attack);
  await expectInert(early);
  for (const request of share.requests) expect(new URL(request.url()).origin).toBe(navi.url);
  expect(errors).toEqual([]);
  await context.close();
});
