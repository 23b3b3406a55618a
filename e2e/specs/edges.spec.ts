import { createGate, text } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';

test('a chat that is deleted elsewhere says so, and is not found again', async ({
  chat,
  sidebar,
  context,
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('404');
  const sessionId = await chat.start('Soon gone');
  await expect(chat.copyAnswer()).toBeVisible();
  const elsewhere = await context.newPage();
  const removed = await elsewhere.request.post('/trpc/sessions.remove', { data: { sessionId } });
  expect(removed.ok()).toBe(true);
  await expect(page.getByRole('heading', { name: 'This chat does not exist' })).toBeVisible();
  await expect(sidebar.list.locator(`a[href="/s/${sessionId}"]`)).toHaveCount(0);
  await page.getByRole('link', { name: 'Start a new chat' }).click();
  await expect(chat.field).toBeFocused();
});

test('a chat can be pinned and renamed while it answers, and the answer goes on', async ({
  chat,
  model,
  sidebar,
  page,
}) => {
  const middle = createGate();
  model.setScript((request) =>
    request.lastUserText === 'Answer slowly' ? [text('The beginning. '), middle.step, text('The end.')] : 'A name',
  );
  await chat.start('Answer slowly');
  await expect(chat.text('The beginning.')).toBeVisible();
  await sidebar.openRow.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await field.fill('Mine while it writes');
  await field.press('Enter');
  await expect(chat.heading).toHaveText('Mine while it writes');
  await sidebar.choose('Mine while it writes', 'Pin');
  await expect(sidebar.headings().first()).toHaveText('Pinned');
  await expect(chat.text('The beginning.')).toBeVisible();
  middle.open();
  await expect(chat.text('The beginning. The end.')).toHaveCount(1);
  await expect(chat.copyAnswer()).toBeVisible();
  // The name that the model gives comes too late.
  await expect(chat.heading).toHaveText('Mine while it writes');
});

test('a very long message is cut on screen, whole on demand, and answers stay in reach', async ({ chat, page }) => {
  await chat.openNew();
  const long = `Beginning of it. ${'All of these words were pasted. '.repeat(2_000)}The very end of it.`;
  await chat.send(long);
  await expect(chat.copyAnswer()).toBeInViewport();
  await expect(chat.text(/The very end of it/)).toHaveCount(0);
  await chat.button(/^Show all/).click();
  await expect(chat.text(/The very end of it/)).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});

test('right-to-left text stands at the right, code in it runs from the left', async ({ chat, model }) => {
  model.setScript(['שלום עולם, `npm start` מפעיל את השרת.', 'שם']);
  await chat.start('مرحبا، كيف حالك؟');
  await expect(chat.copyAnswer()).toBeVisible();
  const directionOf = (words: string) =>
    chat
      .text(words)
      .last()
      .evaluate((element) => getComputedStyle(element).direction);
  expect(await directionOf('مرحبا')).toBe('rtl');
  expect(await directionOf('שלום')).toBe('rtl');
  expect(await directionOf('npm start')).toBe('ltr');
});
