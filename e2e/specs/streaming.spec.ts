import { gate, text, thinking, toolCall } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';

/** A gate that the test opens. */
function createGate() {
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { step: gate(until), open: () => open() };
}

test('an answer streams, is kept on reload from its first character, and goes on live', async ({
  chat,
  model,
  page,
}) => {
  const middle = createGate();
  model.setScript([[text('First part. '), middle.step, text('Second part.')], 'A name']);
  await chat.start('Tell me something');
  await expect(chat.text('First part.')).toBeVisible();
  await page.reload();
  await expect(chat.text('First part.')).toBeVisible();
  await expect(chat.stopButton).toBeVisible();
  middle.open();
  await expect(chat.text('First part. Second part.')).toHaveCount(1);
  await expect(chat.copyAnswer()).toBeVisible();
  await page.reload();
  await expect(chat.text('First part. Second part.')).toHaveCount(1);
});

test('the message that begins a chat is on the screen before the chat is read', async ({ chat, model, page }) => {
  model.setScript(['The answer.']);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/trpc\/[^?]*messages\.page/, async (route) => {
    await released;
    await route.continue();
  });
  await chat.start('The words that begin it');
  await expect(chat.text('The words that begin it')).toBeVisible();
  await expect(page.getByText('Opening the chat')).toHaveCount(0);
  release();
  await expect(chat.text('The answer.')).toBeVisible();
  await expect(chat.text('The words that begin it')).toHaveCount(1);
});

test('three tabs show one answer live, each once', async ({ chat, model, context, page }) => {
  const middle = createGate();
  model.setScript([[text('Seen by all. '), middle.step, text('To the end.')], 'A name']);
  await chat.start('For three tabs');
  await expect(chat.text('Seen by all.')).toBeVisible();
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto(page.url());
    await expect(tab.getByText('Seen by all.')).toBeVisible();
  }
  middle.open();
  for (const tab of [page, ...tabs]) await expect(tab.getByText('Seen by all. To the end.')).toHaveCount(1);
});

test('text of a chat that streams never appears in another chat', async ({ chat, model, sidebar, page }) => {
  const slow = createGate();
  model.setScript((request) =>
    request.lastUserText.includes('narwhal')
      ? [text('Narwhal begins. '), slow.step, text('Narwhal ends.')]
      : 'Beta answers.',
  );
  await chat.start('narwhal please');
  await expect(chat.text('Narwhal begins.')).toBeVisible();
  await sidebar.newChat.click();
  await chat.send('beta please');
  await page.waitForURL(/\/s\//);
  await expect(chat.text('Beta answers.')).toBeVisible();
  slow.open();
  await expect(sidebar.row(/narwhal/i).first()).toBeVisible();
  await expect(chat.text(/Narwhal/)).toHaveCount(0);
  await sidebar
    .row(/narwhal/i)
    .first()
    .click();
  await expect(chat.text('Narwhal begins. Narwhal ends.')).toBeVisible();
  await expect(chat.text(/Beta/)).toHaveCount(0);
});

test('stop works after a reload and keeps what was said', async ({ chat, model, page }) => {
  const never = createGate();
  model.setScript([[text('Kept words. '), never.step], 'A name']);
  await chat.start('Go on for ever');
  await expect(chat.text('Kept words.')).toBeVisible();
  await page.reload();
  await chat.stopButton.click();
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible();
  // The button is gone; what follows is most likely another message.
  await expect(chat.field).toBeFocused();
  await expect(chat.text('Kept words.')).toBeVisible();
  await expect(chat.button('Resume')).toBeVisible();
  never.open();
});

test('messages written during an answer wait in order, can be changed and removed, and are answered in turn', async ({
  chat,
  model,
}) => {
  const first = createGate();
  model.setScript((request) => {
    if (request.lastUserText === 'one') return [text('Answer one.'), first.step];
    return request.lastUserText === 'three, changed' ? 'Answer three.' : 'Something else.';
  });
  await chat.start('one');
  await expect(chat.text('Answer one.')).toBeVisible();
  await chat.send('two');
  await chat.send('three');
  await expect(chat.queue).toHaveCount(2);
  await chat.queue.nth(0).getByRole('button', { name: 'Remove waiting message' }).click();
  await expect(chat.queue).toHaveCount(1);
  await chat.queue.nth(0).getByRole('button', { name: 'Edit waiting message' }).click();
  const field = chat.page.getByRole('textbox', { name: 'Edit waiting message' });
  await field.fill('three, changed');
  await field.press('Enter');
  await expect(chat.queue.nth(0)).toContainText('three, changed');
  first.open();
  await expect(chat.text('Answer three.')).toBeVisible();
  await expect(chat.queue).toHaveCount(0);
  await expect(chat.text('two')).toHaveCount(0);
});

test('a waiting message goes out while it is edited: what was written stays and can go as another', async ({
  chat,
  model,
}) => {
  const first = createGate();
  model.setScript((request) =>
    request.lastUserText === 'one' ? [text('Answer one.'), first.step] : `Heard: ${request.lastUserText}.`,
  );
  await chat.start('one');
  await expect(chat.text('Answer one.')).toBeVisible();
  await chat.send('two');
  await chat.queue.nth(0).getByRole('button', { name: 'Edit waiting message' }).click();
  const field = chat.page.getByRole('textbox', { name: 'Edit waiting message' });
  await field.fill('two, and more');
  first.open();
  await expect(chat.text('Heard: two.')).toBeVisible();
  await expect(chat.queue).toContainText('This message was sent as it was.');
  await expect(field).toHaveValue('two, and more');
  await field.press('Enter');
  await expect(chat.text('Heard: two, and more.')).toBeVisible();
  await expect(chat.queue).toHaveCount(0);
});

test('thinking and tool calls show in place and open to what went in and out', async ({ chat, model }) => {
  model.setScript([[thinking('I need the time. '), toolCall('current_time', {})], [text('It is late.')], 'A name']);
  await chat.start('What time is it?');
  await expect(chat.text('It is late.')).toBeVisible();
  await chat.button(/Thought/).click();
  await expect(chat.text('I need the time.')).toBeVisible();
  await chat.button(/Checked the time/).click();
  await expect(chat.messages.getByRole('heading', { name: 'Result' })).toBeVisible();
});

test('a command waits for approval across a reload, and a denial is told to the model', async ({
  chat,
  model,
  page,
}) => {
  model.setScript([[toolCall('run_command', { command: 'echo hello' })], 'You said no.', 'A name']);
  await chat.start('Run something');
  await expect(page.getByRole('region', { name: /Run this command/ })).toContainText('echo hello');
  const list = page.getByRole('navigation', { name: 'Chats' });
  await expect(list.getByText('Waits for your approval')).toBeAttached();
  await page.reload();
  await expect(page.getByRole('region', { name: /Run this command/ })).toContainText('echo hello');
  await expect(list.getByText('Waits for your approval')).toBeAttached();
  // What always asks cannot be allowed once and for all.
  await expect(chat.button('Allow for this chat')).toHaveCount(0);
  await chat.button('Deny').click();
  await expect(chat.text('You said no.')).toBeVisible();
  await expect(list.getByText('Waits for your approval')).toHaveCount(0);
  await expect(chat.button(/not allowed/)).toBeVisible();
});

test('a tool that was allowed for a chat is asked for once', async ({ chat, model, page }) => {
  const fetchPage = (path: string) => toolCall('web_fetch', { url: `http://127.0.0.1:9/${path}` });
  model.setScript([[fetchPage('one')], [fetchPage('two')], 'Neither can be read.', 'A name']);
  await chat.start('Read two pages');
  const question = page.getByRole('region', { name: /^Approval/ });
  await expect(question).toContainText('http://127.0.0.1:9/one');
  await chat.button('Allow for this chat').click();
  await expect(chat.text('Neither can be read.')).toBeVisible();
  await expect(question).toHaveCount(0);
});

test('a model that fails becomes a readable card with a retry that works', async ({ chat, model }) => {
  model.setScript([[{ kind: 'status', status: 400, body: { error: 'the model is broken' } }]]);
  await chat.start('Try this');
  await expect(chat.button('Retry')).toBeVisible();
  await expect(chat.text('the model is broken')).not.toBeVisible();
  model.setScript(['Now it works.']);
  await chat.button('Retry').click();
  await expect(chat.text('Now it works.')).toBeVisible();
  await expect(chat.text('Try this').first()).toBeVisible();
});
