import { truncate, writeFile } from 'node:fs/promises';
import { createGate } from '../fixtures/model-servers';
import { textFile } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';

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

test('200 MB go up in sight', async ({ chat, page }, testInfo) => {
  const files = new FilesPage(page);
  const path = testInfo.outputPath('film.bin');
  await writeFile(path, '');
  await truncate(path, 200 * 1024 * 1024);
  await chat.openNew();
  // What the bar ever said: an upload may be over before a test could look twice.
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seenProgress: seen });
    const look = () => {
      for (const bar of document.querySelectorAll('[role="progressbar"]'))
        seen.add(bar.getAttribute('aria-valuenow') ?? '');
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await page.getByLabel('Files to attach').setInputFiles(path);
  await expect(files.attached).toHaveText(/film\.bin\s*200 MB$/, { timeout: 90_000 });
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  const seen = await page.evaluate(() =>
    [...(window as unknown as { seenProgress: Set<string> }).seenProgress].map(Number),
  );
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.filter((share) => share > 0 && share < 100).length).toBeGreaterThan(1);
});

test('another tab sees what is uploaded, published and removed, at once', async ({ chat, page }) => {
  const files = new FilesPage(page);
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  const other = await page.context().newPage();
  const there = new FilesPage(other);
  await other.goto(`/s/${sessionId}`);
  await there.openPanel();
  await expect(other.getByText('Nothing here yet.')).toBeVisible();
  await files.openPanel();
  await files.attach(textFile('notes.md', '# Notes'));
  await expect(there.rows).toHaveCount(1);
  await expect(there.rows.getByRole('img', { name: 'Artifact' })).toHaveCount(0);
  await files.act('notes.md', 'Publish as artifact');
  await expect(there.rows.getByRole('img', { name: 'Artifact' })).toHaveCount(1);
  await files.act('notes.md', 'Remove');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(there.rows).toHaveCount(0);
  await other.close();
});
