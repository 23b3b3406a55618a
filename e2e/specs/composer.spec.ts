import type { Route } from '@playwright/test';
import { createApi, untilIdle } from '../../server/testing/wire-client';
import { createGate } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chat-page';

/** What people said in a chat, oldest first. */
async function saidIn(url: string, sessionId: string): Promise<string[]> {
  await untilIdle(url, sessionId);
  const { messages } = await createApi(url).messages.page.query({ sessionId, limit: 200 });
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
}

test('letters typed while messages are acknowledged stand once, in their order', async ({ chat, navi }) => {
  const sessionId = await chat.start('Hello');
  await expect(chat.text('Hello.')).toBeVisible();
  const typed = await chat.field.evaluate(async (field) => {
    let all = '';
    const { port1, port2 } = new MessageChannel();
    for (let word = 0; word < 1_000; word++) {
      document.execCommand('insertText', false, `${word},`);
      all += `${word},`;
      if (word % 50 === 49)
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    }
    return all;
  });
  // What was wanted last may be on its way still.
  await expect(async () => {
    await chat.field.press('Enter');
    await expect(chat.field).toHaveValue('', { timeout: 1_000 });
  }).toPass();
  expect((await saidIn(navi.url, sessionId)).slice(1).join('')).toBe(typed);
});

test('a text that is being composed is left alone when the message before it is acknowledged', async ({
  chat,
  context,
  navi,
  page,
}) => {
  const sessionId = await chat.start('Hello');
  await expect(chat.text('Hello.')).toBeVisible();
  const held = createGate();
  await page.route('**/trpc/messages.send*', async (route) => {
    await held.opened;
    await route.continue();
  });
  const keyboard = await context.newCDPSession(page);
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await chat.send('alpha');
  await compose('に');
  const acknowledged = page.waitForResponse(/messages\.send/);
  held.open();
  await acknowledged;
  await expect(chat.text('alpha')).toBeVisible();
  await compose('にほ');
  await keyboard.send('Input.insertText', { text: '日本' });
  await expect(chat.field).toHaveValue('日本');
  await chat.field.press('Enter');
  await expect(chat.field).toHaveValue('');
  expect(await saidIn(navi.url, sessionId)).toEqual(['Hello', 'alpha', '日本']);
});

test('what is typed on while a chat is created goes along into it, and goes out where it was wanted', async ({
  chat,
  navi,
  page,
}) => {
  const typedOn = async (...keys: string[]) => {
    const typing = async (route: Route) => {
      for (const key of keys) await chat.field.press(key);
      await route.continue();
    };
    await page.route('**/trpc/messages.send*', typing, { times: 1 });
    await chat.openNew();
    await chat.send('one');
    await page.waitForURL(/\/s\//);
    return page.url().replace(/^.*\/s\//, '');
  };
  await typedOn('Z');
  await expect(chat.field).toHaveValue('Z');
  const sessionId = await typedOn('Z', 'Enter');
  await expect(chat.text('Z')).toBeVisible();
  await expect(chat.field).toHaveValue('');
  expect(await saidIn(navi.url, sessionId)).toEqual(['one', 'Z']);
  await chat.openNew();
  await expect(chat.field).toHaveValue('');
});

test('a draft that two tabs show is sent by one of them, and is gone from the other', async ({
  chat,
  context,
  navi,
  page,
}) => {
  const sessionId = await chat.start('Hello');
  await chat.field.fill('Once');
  await page.reload();
  await expect(chat.field).toHaveValue('Once');
  const other = new ChatPage(await context.newPage());
  await other.open(sessionId);
  await expect(other.field).toHaveValue('Once');
  // What is written on in one tab is seen in the other while nothing is written there.
  await chat.field.press('End');
  await chat.field.pressSequentially(' only');
  await expect(other.field).toHaveValue('Once only');
  await chat.field.press('Enter');
  await expect(other.field).toHaveValue('');
  await other.field.press('Enter');
  // From here on it is that tab's own.
  await other.field.pressSequentially('Mine');
  await chat.field.pressSequentially('Yours');
  await chat.field.press('Enter');
  await expect(chat.text('Yours')).toBeVisible();
  await expect(other.text('Yours')).toBeVisible();
  await expect(other.field).toHaveValue('Mine');
  expect(await saidIn(navi.url, sessionId)).toEqual(['Hello', 'Once only', 'Yours']);
});

test('who goes elsewhere while a chat is created is not taken back to it', async ({ chat, page, sidebar }) => {
  const known = await chat.start('Hello');
  await expect(chat.text('Hello.')).toBeVisible();
  const held = createGate();
  await page.route(
    '**/trpc/messages.send*',
    async (route) => {
      await held.opened;
      await route.continue();
    },
    { times: 1 },
  );
  await chat.openNew();
  const asked = page.waitForRequest(/messages\.send/);
  await chat.send('Created elsewhere');
  await asked;
  await page.evaluate((path) => history.pushState(null, '', path), `/s/${known}`);
  await expect(chat.text('Hello.')).toBeVisible();
  held.open();
  await expect(sidebar.list.getByText('Created elsewhere')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(known));
});
