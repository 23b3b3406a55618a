import { accessibilityFaults } from '../fixtures/accessibility';
import { text, thinking, toolCall } from '../fixtures/model-servers/steps';
import { expect, test } from '../fixtures/test';
import { openWithoutScripts, ShareDialog, SharePage, strangersBrowser } from '../pages/share-page';

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
      : [thinking('Where to put it?'), toolCall('scratchpad', { action: 'write', section: 'keys', content: secret })];
  });
  const sessionId = await chat.start('Note it');
  await expect(chat.copyAnswer()).toBeVisible();
  const dialog = new ShareDialog(page);
  await dialog.open();
  await expect(dialog.findings).toContainText('1 likely secret would be seen');
  await expect(dialog.findings).not.toContainText('hunter2');
  await expect(dialog.dialog.getByRole('button', { name: 'Create link' })).toBeDisabled();
  expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
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
    expect(await accessibilityFaults(share.page)).toEqual([]);
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

test('the link is the address at which the person reached Navi, whatever name the server has for itself', async ({
  chat,
  page,
  navi,
}) => {
  // As behind a proxy that ends TLS and gives the server another name.
  await page.route(/\/trpc\/[^?]*shares\./, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll(navi.url, 'http://inner.test:3000'),
    });
  });
  await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();
  expect(url).toMatch(/#share=[\w-]{43}$/);
  expect(url.startsWith(`${navi.url}/#`)).toBe(true);
  await page.reload();
  await dialog.open();
  await expect(dialog.link).toHaveValue(url);
});
