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
  // A quotation mark, and what a form makes of one.
  const name = 'Расчет_иска – "ä" %22.txt';
  await files.attach(textFile(name, 'first line\nsecond line\n'));
  await expect(files.attached).toContainText(name);
  await expect(files.attached).toHaveText(/bytes$/);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await page.reload();
  await expect(files.attached).toHaveCount(1);
  await chat.send('How many lines?');
  await page.waitForURL(/\/s\//);
  await expect(chat.text('It has two lines.')).toBeVisible();
  await expect(files.attached).toHaveCount(0);
  const asked = model.chats().filter(({ messages }) => JSON.stringify(messages).includes('How many lines?'));
  expect(JSON.stringify(asked[0]?.messages)).toContain(JSON.stringify(name).slice(1, -1));
  await chat.button(`Open ${name}`).click();
  await expect(files.stage.getByText('second line')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(files.stage).toHaveCount(0);
  await expect(chat.button(`Open ${name}`)).toBeFocused();
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

test('a paste is a file where a file manager copied it, and text where formatted text brings a picture along', async ({
  chat,
  page,
}) => {
  const files = new FilesPage(page);
  await chat.openNew();
  // What Finder and several Linux managers put on the clipboard.
  expect(await files.pasteWith({ 'text/plain': 'red.png' }, red)).toBe(true);
  const paths = { 'text/plain': '/home/me/notes.md', 'text/uri-list': 'file:///home/me/notes.md' };
  expect(await files.pasteWith(paths, textFile('notes.md', '# Notes'))).toBe(true);
  // A picture copied on a page.
  expect(await files.pasteWith({ 'text/html': '<img src="x.png">' }, green)).toBe(true);
  await expect(files.attached).toHaveCount(3);
  // Cells of a table, words of a document.
  for (const type of ['text/html', 'text/rtf']) {
    expect(await files.pasteWith({ 'text/plain': 'a\tb', [type]: 'a b' }, blue)).toBe(false);
  }
  expect(await files.pasteWith({ 'text/plain': 'words' })).toBe(false);
  await expect(files.attached).toHaveCount(3);
});

test('a message never shows another file that got the name of its own', async ({
  chat,
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('404');
  const files = new FilesPage(page);
  await chat.openNew();
  await files.attach(textFile('notes.txt', 'the first words'), red);
  await expect(files.attached).toHaveText([/notes\.txt/, /image_1\.png/]);
  await chat.send('Look');
  await page.waitForURL(/\/s\//);
  await expect(files.images).toHaveCount(1);
  await files.openPanel();
  for (const name of ['notes.txt', 'image_1.png']) {
    await files.act(name, 'Remove');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
  }
  await expect(files.rows).toHaveCount(0);
  const sessionId = page.url().replace(/^.*\/s\//, '');
  await files.put(sessionId, textFile('notes.txt', 'the second words'));
  await files.put(sessionId, { ...green, name: 'image_1.png' });
  await page.reload();
  await expect(files.rows).toHaveCount(2);
  await expect(files.images.first()).toHaveText('image_1.png');
  await page.getByRole('log').getByRole('button', { name: 'Open notes.txt' }).click();
  await expect(files.stage.getByText('This file no longer exists.')).toBeVisible();
  await page.keyboard.press('Escape');
  await files.open('notes.txt');
  await expect(files.stage.getByText('the second words')).toBeVisible();
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
