import type { ConsoleMessage, Page } from '@playwright/test';
import { departures, hostileHtml, hostileSvg } from '../fixtures/hostile-page';
import { textFile } from '../fixtures/sample-files';
import { test as base, expect } from '../fixtures/test-with-collector';
import type { ChatPage } from '../pages/chat-page';
import type { FilesPage } from '../pages/files';

/** Chromium tells in the console of each thing that it refused; what else goes wrong still fails. */
const refusals = [
  'Content Security Policy',
  'sandbox',
  'Sandbox',
  'cross-origin',
  'ERR_BLOCKED',
  'Unsafe attempt',
  'Fetch API cannot load',
];

const test = base.extend({
  expectedConsoleErrors: async ({ baseURL: _ }, use) => use([...refusals]),
});

/** The page around the artifact refused to let its frame go elsewhere. */
const isRefusedDeparture = (message: ConsoleMessage): boolean => /directive: "frame-src /.test(message.text());

/** A chat with files, and its panel open. */
async function openChat(chat: ChatPage, files: FilesPage, contents: Record<string, string>): Promise<void> {
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  for (const [name, content] of Object.entries(contents)) {
    await files.put(sessionId, textFile(name, content, 'text/html'));
  }
  await files.openPanel();
  await files.page.reload();
}

test('a hostile page reaches nothing, with and without its scripts', async ({ chat, files, page, collector }) => {
  test.setTimeout(180_000);
  const popups: Page[] = [];
  const pages = Object.fromEntries(
    departures(collector.origin).map((way) => [`${way.name}.html`, hostileHtml(collector.origin, way)]),
  );
  await openChat(chat, files, pages);
  page.context().on('page', (popup) => popups.push(popup));
  const address = page.url();
  for (const name of Object.keys(pages)) {
    await files.open(name);
    const frame = files.stage.frameLocator('iframe');
    await expect(frame.getByRole('heading', { name: 'Hostile page' })).toBeVisible();
    await expect(frame.locator('#outcomes')).toBeEmpty();

    const told = page.waitForEvent('console', (message) => message.text().startsWith('outcomes '));
    const refused = page.waitForEvent('console', isRefusedDeparture);
    await files.stage.getByRole('button', { name: 'Run scripts' }).click();
    const outcomes = JSON.parse((await told).text().slice('outcomes '.length));
    for (const way of ['cookie', 'localStorage', 'sessionStorage', 'indexedDB', 'parent', 'top', 'topAddress']) {
      expect(outcomes[way], way).toBe('SecurityError');
    }
    expect(outcomes.popup).toBe('null');
    await refused;
    expect(page.url()).toBe(address);
    await page.keyboard.press('Escape');
    await expect(files.stage).toHaveCount(0);
  }
  expect(popups).toEqual([]);
  expect(collector.received).toEqual([]);
});

test('a hostile drawing is an image until its click, and reaches nothing after it', async ({
  chat,
  files,
  page,
  collector,
}) => {
  await openChat(chat, files, { 'hostile.svg': hostileSvg(collector.origin) });
  const address = page.url();
  await files.open('hostile.svg');
  await expect(files.stage.getByRole('img', { name: 'hostile.svg' })).toBeVisible();
  await expect(files.stage.locator('iframe')).toHaveCount(0);
  const refused = page.waitForEvent('console', isRefusedDeparture);
  await files.stage.getByRole('button', { name: 'Run scripts' }).click();
  await refused;
  expect(page.url()).toBe(address);
  await expect(page).not.toHaveTitle('taken');
  expect(collector.received).toEqual([]);
});

test('the bytes of a page cannot be opened as a page of ours', async ({ chat, files, page, collector }) => {
  await openChat(chat, files, { 'hostile.html': hostileSvg(collector.origin) });
  const sessionId = page.url().replace(/^.*\/s\//, '');
  const response = await page.request.get(`/api/sessions/${sessionId}/files/hostile.html`);
  expect(response.headers()['content-security-policy']).toMatch(/^sandbox;/);
  expect(response.headers()['content-disposition']).toMatch(/^attachment/);
  expect(response.headers()['x-content-type-options']).toBe('nosniff');
});
