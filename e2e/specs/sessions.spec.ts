import { createGate, text, toolCall } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chat-page';

test('a chat can be renamed in place, pinned, and found under its new name after a reload', async ({
  chat,
  sidebar,
  page,
}) => {
  await chat.start('Rename me, please');
  await expect(chat.copyAnswer()).toBeVisible();
  await sidebar.openRow.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await field.fill('Garden in spring');
  await field.press('Enter');
  await expect(sidebar.row('Garden in spring')).toBeVisible();
  await expect(chat.heading).toHaveText('Garden in spring');
  await sidebar.choose('Garden in spring', 'Pin');
  await expect(sidebar.headings().first()).toHaveText('Pinned');
  await page.reload();
  await expect(sidebar.row('Garden in spring')).toBeVisible();
  await expect(page).toHaveTitle(/Garden in spring/);
});

test('a deleted chat comes back with Undo', async ({ chat, sidebar, page }) => {
  await chat.start('Delete me');
  await expect(chat.copyAnswer()).toBeVisible();
  await sidebar.openRow.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await field.fill('Short-lived');
  await field.press('Enter');
  await expect(sidebar.row('Short-lived')).toBeVisible();
  await sidebar.choose('Short-lived', 'Delete');
  await expect(page).toHaveURL(/\/$/);
  await expect(sidebar.row('Short-lived')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(sidebar.row('Short-lived')).toBeVisible();
  await expect(chat.text('Hello.')).toBeVisible();
});

test('an unknown chat says so and offers a new one', async ({ chat, page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push('404');
  await chat.open('00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'This chat does not exist' })).toBeVisible();
  await page.getByRole('link', { name: 'Start a new chat' }).click();
  await expect(chat.field).toBeVisible();
});

test('edit and resend, and answer again, keep every version within reach', async ({ chat, model, page }) => {
  let count = 0;
  model.setScript((request) => {
    if (request.lastUserText === 'question one') {
      count += 1;
      return `Answer ${count}.`;
    }
    return request.lastUserText === 'question two' ? 'Answer to two.' : 'A name';
  });
  await chat.start('question one');
  await expect(chat.text('Answer 1.')).toBeVisible();
  await expect(chat.copyAnswer()).toBeVisible();
  await chat.button('Answer again').click();
  await expect(chat.text('Answer 2.')).toBeVisible();
  await expect(chat.text('Answer 1.')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Versions' })).toContainText('2 / 2');
  await chat.button('Previous version').click();
  await expect(chat.text('Answer 1.')).toBeVisible();
  await chat.messages.getByText('question one').hover();
  await chat.button('Edit and resend').click();
  const field = page.getByRole('textbox', { name: 'Edit your message' });
  await field.fill('question two');
  await field.press('Control+Enter');
  await expect(chat.text('Answer to two.')).toBeVisible();
  await expect(chat.text('question one')).toHaveCount(0);
});

test('a draft survives a reload and belongs to its chat', async ({ chat, sidebar, page }) => {
  await chat.start('Something first');
  await expect(chat.copyAnswer()).toBeVisible();
  await chat.field.fill('half a thought');
  await page.reload();
  await expect(chat.field).toHaveValue('half a thought');
  await sidebar.newChat.click();
  await expect(chat.field).toHaveValue('');
});

test('a draft stays although another tab sends a message of its own to the same chat', async ({
  chat,
  sidebar,
  page,
  context,
}) => {
  await chat.start('Something first');
  await expect(chat.copyAnswer()).toBeVisible();
  await chat.field.fill('half a thought');
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.field).toBeVisible();
  await other.send('A whole one');
  await expect(other.copyAnswer()).toHaveCount(2);
  await sidebar.newChat.click();
  await expect(chat.field).toHaveValue('');
  await page.goBack();
  await expect(chat.field).toHaveValue('half a thought');
});

test('until it has a name, a chat is called by its first words, and no size of its context is made up', async ({
  chat,
  model,
  sidebar,
}) => {
  const [first, second] = [createGate(), createGate()];
  model.setScript((request) => {
    if (request.body.tools === undefined) return 'Autumn figures';
    if (request.messages.some(({ role }) => role === 'tool')) return [text('There are'), second.step, text(' three.')];
    return [first.step, text('I look at the folder.'), toolCall('list_files', {})];
  });
  await chat.start('How many figures are there?');
  await expect(chat.button('Context: not counted yet')).toBeVisible();
  first.open();
  await expect(chat.text('There are')).toBeVisible();
  await expect(chat.button(/^Context: \d+ % of/)).toBeVisible();
  await expect(chat.heading).toHaveText('How many figures are there?');
  await expect(sidebar.openRow).toContainText('How many figures are there?');
  // A turn that was stopped gives no name; the chat keeps its first words.
  await chat.stopButton.click();
  await expect(chat.text('Stopped')).toBeVisible();
  second.open();
  model.setScript((request) => (request.body.tools === undefined ? 'Autumn figures' : 'Three.'));
  await expect(sidebar.openRow).toContainText('How many figures are there?');
  await chat.send('Well?');
  await expect(chat.heading).toHaveText('Autumn figures');
});

test('F2 renames the open chat from the message field as well', async ({ chat, sidebar, page }) => {
  await chat.start('Call me something');
  await expect(chat.copyAnswer()).toBeVisible();
  await chat.field.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await expect(field).toHaveCount(1);
  await field.fill('By keyboard');
  await field.press('Enter');
  await expect(sidebar.row('By keyboard')).toBeVisible();
  // The keyboard goes on where it was.
  await expect(chat.field).toBeFocused();
  await sidebar.openRow.press('F2');
  await field.press('Escape');
  await expect(sidebar.openRow).toBeFocused();
});

test('Enter twice sends one message', async ({ chat }) => {
  await chat.start('Warm up');
  await expect(chat.copyAnswer()).toBeVisible();
  await chat.field.fill('only once');
  await chat.field.evaluate((field) => {
    for (let time = 0; time < 2; time++) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }
  });
  await expect(chat.copyAnswer()).toHaveCount(2);
  await expect(chat.text('only once')).toHaveCount(1);
});
