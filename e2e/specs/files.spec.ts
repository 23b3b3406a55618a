import { createGate, text } from '../fixtures/model-servers';
import { png, textFile, textPdf } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';

const red = png('red.png', [200, 60, 50]);
const green = png('green.png', [70, 150, 60]);
const blue = png('blue.png', [40, 90, 180]);

test('a file can be uploaded before the chat exists, survives a reload, and the question about it reaches the model', async ({
  chat,
  model,
  page,
}) => {
  const files = new FilesPage(page);
  model.setScript(['It has two lines.', 'A name']);
  await chat.openNew();
  await files.attach(textFile('Расчет_иска – ä.txt', 'first line\nsecond line\n'));
  await expect(files.attached).toHaveText(/Расчет_иска – ä\.txt.*bytes$/);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await page.reload();
  await expect(files.attached).toHaveCount(1);
  await chat.send('How many lines?');
  await page.waitForURL(/\/s\//);
  await expect(chat.text('It has two lines.')).toBeVisible();
  await expect(files.attached).toHaveCount(0);
  const asked = model.chats().filter(({ messages }) => JSON.stringify(messages).includes('How many lines?'));
  expect(JSON.stringify(asked[0]?.messages)).toContain('Расчет_иска – ä.txt');
  await chat.button('Open Расчет_иска – ä.txt').click();
  await expect(files.stage.getByText('second line')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(files.stage).toHaveCount(0);
  await expect(chat.button('Open Расчет_иска – ä.txt')).toBeFocused();
});

test('three pasted images stand on the message and open one after the other', async ({ chat, model, page }) => {
  const files = new FilesPage(page);
  model.setScript(['Red, green, blue.', 'A name']);
  await chat.openNew();
  await files.paste(red, green, blue);
  await expect(files.attached).toHaveCount(3);
  await chat.send('Which colours?');
  await page.waitForURL(/\/s\//);
  await expect(files.images).toHaveCount(3);
  for (const image of await files.images.getByRole('img').all()) {
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  }
  // Numbered in the order in which they were pasted, byte for byte.
  const session = page.url().replace(/^.*\/s\//, '');
  for (const [index, { buffer }] of [red, green, blue].entries()) {
    const stored = await page.request.get(`/api/sessions/${session}/files/image_${index + 1}.png`);
    expect((await stored.body()).equals(buffer), `image ${index + 1}`).toBe(true);
  }
  await files.images.first().click();
  const shown = files.stage.getByRole('img');
  await expect(files.stage.getByRole('heading')).toHaveText('image_1.png');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(files.stage.getByRole('heading')).toHaveText('image_3.png');
  await expect(shown).toBeVisible();
  await page.keyboard.press('+');
  await expect(files.stage.getByText('140 %')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(files.images.first()).toBeFocused();
});

test('what cannot be attached says why before a byte goes out, and does not stay in the way', async ({
  chat,
  page,
}) => {
  const files = new FilesPage(page);
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/files')) posts += 1;
  });
  await chat.openNew();
  await files.attach(textFile('setup.exe', 'MZ'), textFile('run.sh', 'echo'));
  await expect(files.attached.first()).toContainText('Programs and scripts (.exe) cannot be attached.');
  await expect(files.attached.last()).toContainText('(.sh)');
  expect(posts).toBe(0);
  await chat.send('Hello');
  await expect(page.getByText('Not sent yet: try the failed upload again or remove it first.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove setup.exe' }).click();
  await page.getByRole('button', { name: 'Remove run.sh' }).click();
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.waitForURL(/\/s\//);
  await expect(chat.text('Hello').first()).toBeVisible();
});

test('an upload that breaks keeps its file, and a message waits for it', async ({
  chat,
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('ERR_CONNECTION_RESET');
  const files = new FilesPage(page);
  let isBroken = true;
  const held = createGate();
  await page.route('**/api/sessions/*/files', async (route) => {
    if (isBroken) return route.abort('connectionreset');
    for await (const _ of [held.step.kind === 'gate' ? held.step.until : null]) await route.continue();
  });
  await chat.openNew();
  const drag = await files.drag(textFile('notes.md', '# Notes'));
  await expect(page.getByText('Drop to attach')).toBeVisible();
  await drag.drop();
  await expect(page.getByText('Drop to attach')).toHaveCount(0);
  await expect(files.attached).toContainText('The connection broke.');
  isBroken = false;
  await page.getByRole('button', { name: 'Try notes.md again' }).click();
  await expect(page.getByRole('progressbar', { name: 'Uploading notes.md' })).toBeVisible();
  await chat.send('Read this');
  await expect(page.getByText('Will be sent when everything is uploaded.')).toBeVisible();
  held.open();
  await page.waitForURL(/\/s\//);
  await expect(chat.button('Open notes.md')).toBeVisible();
});

test('a message that waits shows its files', async ({ chat, model, page }) => {
  const files = new FilesPage(page);
  const first = createGate();
  model.setScript((request) => (request.lastUserText === 'one' ? [text('Busy. '), first.step] : 'Done.'));
  await chat.start('one');
  await expect(chat.text('Busy.')).toBeVisible();
  await files.attach(textFile('later.csv', 'a,b\n1,2\n', 'text/csv'));
  await expect(files.attached).toContainText('8 bytes');
  await chat.send('two');
  await expect(chat.queue).toContainText('later.csv');
  first.open();
  await expect(chat.button('Open later.csv')).toBeVisible();
});

test('the panel lists every file, opens it, publishes it and removes it', async ({ chat, page }) => {
  const files = new FilesPage(page);
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  await files.openPanel();
  await expect(page.getByText('Nothing here yet.')).toBeVisible();
  await files.put(sessionId, textFile('report.pdf', textPdf(['Page one', 'Page two']), 'application/pdf'));
  await files.put(sessionId, textFile('people.csv', 'name,age\nAda,36\nGrace,85\nAlan,41\n', 'text/csv'));
  await page.reload();
  await expect(files.rows).toHaveCount(2);
  await files.open('people.csv');
  await files.stage.getByRole('button', { name: 'age' }).click();
  await expect(files.stage.getByRole('row').nth(1)).toContainText('Ada');
  await files.stage.getByRole('button', { name: 'age' }).click();
  await expect(files.stage.getByRole('row').nth(1)).toContainText('Grace');
  await page.keyboard.press('Escape');
  await files.act('report.pdf', 'Publish as artifact');
  await files.filter('Artifacts');
  await expect(files.rows).toHaveCount(1);
  await files.act('report.pdf', 'Remove');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No artifacts yet.')).toBeVisible();
  await page.reload();
  await files.filter('All');
  await expect(files.rows).toHaveCount(1);
});
