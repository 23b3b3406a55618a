import { text, toolCall } from '../fixtures/model-servers';
import { boxStl, png, textFile, textPdf } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';
import { ShareDialog, SharePage } from '../pages/share-page';

const made: [name: string, content: string][] = [
  ['box.stl', boxStl()],
  ['report.pdf', textPdf(['The first page', 'The second page'])],
  ['sales.html', '<!doctype html><h1>Sales</h1><p>Drawn.</p>'],
];

test('pictures and artifacts of a shared chat are seen by a stranger, other files are not, and all end with the chat', async ({
  chat,
  sidebar,
  model,
  page,
  browser,
  navi,
  expectedConsoleErrors,
}) => {
  test.setTimeout(180_000);
  // The test itself asks in a frame that runs no scripts.
  expectedConsoleErrors.push("Blocked script execution in 'about:srcdoc'");
  const files = new FilesPage(page);
  const said = (messages: { role: string; content?: unknown }[], words: string) =>
    messages.some(({ role, content }) => role === 'tool' && JSON.stringify(content).includes(words));
  model.setScript(({ messages, lastUserText }) => {
    if (!lastUserText.startsWith('Make')) return 'Boxes and sales';
    if (said(messages, 'Published')) return [text('Here they are.')];
    if (said(messages, 'Created')) return made.map(([name]) => toolCall('content_publish', { path: name }));
    return made.map(([name, content]) => toolCall('write_file', { path: `session_files/${name}`, content }));
  });
  await chat.openNew();
  await files.attach(textFile('private.txt', 'for the agent only'));
  await files.paste(png('red.png', [200, 60, 50]), png('green.png', [70, 150, 60]));
  await expect(files.attached).toHaveText([/private\.txt/, /image_1\.png/, /image_2\.png/]);
  await chat.send('Make a box, a report and a page');
  await page.waitForURL(/\/s\//);
  await expect(chat.text('Here they are.')).toBeVisible();
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();
  await dialog.close();

  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1000, height: 1600 } });
  const asked: { fileId: string }[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/shared/files')) asked.push(request.postDataJSON());
  });
  const share = await SharePage.open(context, url);
  const images = share.conversation.getByRole('list', { name: 'Images' }).getByRole('img');
  await expect(images).toHaveCount(2);
  for (const image of await images.all()) {
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(320);
  }
  const card = (name: string) => share.conversation.getByRole('article', { name: `File ${name}` });
  await card('box.stl').scrollIntoViewIfNeeded();
  await expect(card('box.stl').getByText('20 × 12 × 8 · 12 triangles')).toBeVisible({ timeout: 60_000 });
  await card('report.pdf').scrollIntoViewIfNeeded();
  await expect(card('report.pdf').getByText('The first page')).toBeVisible({ timeout: 60_000 });
  await card('sales.html').scrollIntoViewIfNeeded();
  await expect(card('sales.html').frameLocator('iframe').getByRole('heading', { name: 'Sales' })).toBeVisible();
  await expect(share.conversation.getByText('private.txt')).toBeVisible();
  await expect(share.conversation.getByRole('button', { name: /private/ })).toHaveCount(0);

  // On paper a file stays a window, without buttons: what is below it would lie over the text that follows.
  await share.page.emulateMedia({ media: 'print' });
  await expect(card('report.pdf').getByRole('button')).toHaveCount(0);
  await expect(card('report.pdf').getByRole('region')).toHaveCSS('overflow', 'hidden');
  await expect(share.conversation.getByText('Here they are.')).toBeVisible();
  await share.page.emulateMedia({ media: 'screen' });

  const token = url.split('#share=')[1] ?? '';
  const ids = [...new Set(asked.map(({ fileId }) => fileId))];
  expect(ids).toHaveLength(5);
  const ask = (fileId: string) =>
    context.request.post(`${navi.url}/api/shared/files`, { data: { token, fileId } }).then((answer) => answer.status());
  for (const id of ids) expect(await ask(id)).toBe(200);
  await sidebar.choose('Boxes and sales', 'Delete');
  await expect(page).toHaveURL(/\/$/);
  for (const id of ids) expect(await ask(id)).toBe(404);
  await share.page.reload();
  await expect(share.title).toHaveText('This link leads nowhere');
  await context.close();
});
