import type { Locator } from '@playwright/test';
import { text, toolCall } from '../fixtures/model-servers';
import { boxStl, png, textPdf } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';
import { ShareDialog, SharePage } from '../pages/share-page';

const html = `<!doctype html><h1>Sales</h1><p id="p">Drawn without scripts.</p>
<script>document.getElementById('p').textContent = 'Scripts run.';</script>`;

const made: [name: string, content: string][] = [
  ['box.stl', boxStl()],
  ['report.pdf', textPdf(['The first page', 'The second page'])],
  ['sales.html', html],
];

test('the agent publishes a model, a PDF and a page, and each is seen', async ({
  chat,
  model,
  page,
  expectedConsoleErrors,
}) => {
  test.setTimeout(180_000);
  // The test itself asks in a frame that runs no scripts.
  expectedConsoleErrors.push("Blocked script execution in 'about:srcdoc'");
  const files = new FilesPage(page);
  model.setScript([
    made.map(([name, content]) => toolCall('write_file', { path: `session_files/${name}`, content })),
    made.map(([name]) =>
      toolCall('content_publish', { path: name, ...(name === 'box.stl' ? { title: 'Spare box' } : {}) }),
    ),
    [text('Here they are.')],
    'A name',
  ]);
  await chat.start('Make me a box, a report and a page');
  await expect(chat.text('Here they are.')).toBeVisible();

  // The last card stands at the end, where the page follows; the others are opened over the whole window.
  await expect(files.card('sales.html').frameLocator('iframe').getByText('Drawn without scripts.')).toBeVisible();
  await files.openPanel();
  await expect(files.rows).toHaveCount(3);

  await files.open('box.stl');
  await expect(files.stage.getByText('20 × 12 × 8 · 12 triangles')).toBeVisible();
  const before = await files.stage.locator('canvas').screenshot();
  await files.stage.getByRole('region').focus();
  await page.keyboard.press('ArrowUp');
  // It is drawn: turned, it looks different.
  await expect.poll(async () => (await files.stage.locator('canvas').screenshot()).equals(before)).toBe(false);
  await page.keyboard.press('Escape');

  await files.open('report.pdf');
  await expect(files.stage.getByText('The first page')).toBeVisible();
  await expect.poll(() => files.stage.locator('canvas').first().evaluate(isDrawn)).toBe(true);
  await page.keyboard.press('Escape');

  await files.open('sales.html');
  await expect(files.stage.frameLocator('iframe').getByRole('heading', { name: 'Sales' })).toBeVisible();
  await files.stage.getByRole('button', { name: 'Run scripts' }).click();
  await expect(files.stage.frameLocator('iframe').getByText('Scripts run.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(files.stage).toHaveCount(0);
});

/** Whether a page's canvas has anything but one colour on it. */
function isDrawn(canvas: HTMLElement | SVGElement): boolean {
  if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return false;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return pixels.some((value, index) => index % 4 === 0 && value !== pixels[0]);
}

test('a film has the whole width of its card', async ({ chat, model, page }) => {
  const files = new FilesPage(page);
  model.setScript(({ messages, lastUserText }) => {
    if (lastUserText !== 'Publish it') return 'Hello.';
    return messages.at(-1)?.role === 'tool'
      ? [text('There it is.')]
      : [toolCall('content_publish', { path: 'film.mp4' })];
  });
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  // Its mark, and nothing to play.
  const buffer = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');
  await files.put(sessionId, { name: 'film.mp4', mimeType: 'video/mp4', buffer });
  await chat.send('Publish it');
  await expect(chat.text('There it is.')).toBeVisible();
  const card = files.card('film.mp4');
  const view = card.locator('> div');
  await expect(view).toHaveCSS('height', '384px');
  const inner = await card.evaluate((element) => element.clientWidth);
  expect(await view.evaluate((element) => element.clientWidth)).toBe(inner);
});

test('a picture that the agent looked at is seen in its call, in the chat and in a share', async ({
  chat,
  model,
  page,
  browser,
}) => {
  const files = new FilesPage(page);
  model.setScript(({ messages, lastUserText }) => {
    if (messages.some(({ role }) => role === 'tool')) return [text('It is red.')];
    return lastUserText === 'Look at it' ? [toolCall('image_view', { path: 'session_files/plot.png' })] : 'Hello.';
  });
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  await files.put(sessionId, png('plot.png', [200, 60, 50]));
  await chat.send('Look at it');
  await expect(chat.text('It is red.')).toBeVisible();
  const row = /^Looked at session_files/;
  const seen = async (image: Locator) => {
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  };
  await chat.button(row).click();
  await expect(files.images).toHaveCount(1);
  await seen(files.images.locator('img'));
  await files.images.click();
  await seen(files.stage.getByRole('img'));
  await page.keyboard.press('Escape');

  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();
  await dialog.close();
  const context = await browser.newContext({ locale: 'en-GB' });
  const share = await SharePage.open(context, url);
  await share.page.getByRole('button', { name: row }).click();
  await seen(share.conversation.getByRole('list', { name: 'Images' }).getByRole('img'));
  await context.close();
});

/** What broke others when it was shown as it is. */
const hostile = [
  '<script>document.title="taken"</script>',
  '<img src=x onerror=document.title="taken">',
  '<svg/onload=document.title="taken">',
  '[click me](javascript:document.title="taken")',
  '<iframe srcdoc="<script>parent.document.title=\'taken\'</script>"></iframe>',
].join(' ');

test('hostile text is text in every field of a chat', async ({ chat, model, page, expectedConsoleErrors }) => {
  test.setTimeout(180_000);
  // The published page is read and drawn without its scripts; the browser says so of each, there and nowhere else.
  expectedConsoleErrors.push(
    "Blocked script execution in 'about:srcdoc'",
    /The action has been blocked\. \[(about:srcdoc|\S+\/assets\/page-viewer-[\w-]+\.js)\]$/,
  );
  const files = new FilesPage(page);
  const name = `a<img src=x onerror=document.title='taken'>.txt`;
  model.setScript([
    [
      { kind: 'thinking', text: hostile },
      toolCall('todo', { action: 'set', tasks: [{ text: hostile }] }),
      toolCall('write_file', { path: 'session_files/page.html', content: hostile }),
      toolCall('content_publish', { path: 'page.html', title: hostile.slice(0, 150) }),
      toolCall(`tool<img src=x onerror=document.title="taken">`, { [hostile]: hostile }),
    ],
    [text(hostile)],
    hostile.slice(0, 60),
  ]);
  await chat.openNew();
  await files.attach({ name, mimeType: 'text/plain', buffer: Buffer.from(hostile) });
  await expect(files.attached).toContainText('onerror');
  await chat.send(hostile);
  await page.waitForURL(/\/s\//);
  await expect(chat.copyAnswer()).toBeVisible();
  await chat.button(/steps/).click();
  const closed = page.getByRole('log').getByRole('button', { expanded: false });
  for (let count = await closed.count(); count > 0; count--) await closed.first().click();
  await files.openPanel();
  await expect(files.rows).toHaveCount(2);
  await page.getByRole('tab', { name: 'Plan' }).click();
  await expect(page.getByRole('region', { name: 'Beside the chat' }).getByText('onerror').first()).toBeVisible();
  await expect(page).not.toHaveTitle(/^taken/);
  // Nothing of it became an element: the only frame is the sandboxed card's.
  expect(await page.locator('img[src="x"], svg[onload], a[href^="javascript"], iframe:not([sandbox])').count()).toBe(0);
  expect(
    await page.evaluate(() => [...document.body.querySelectorAll('script')].filter((script) => !script.src).length),
  ).toBe(0);
});
