import { gate, text } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';

/** What a browser says of a server that is away: what was asked for as it went breaks off in several ways, what is asked for later is refused. */
const SERVER_AWAY = ['net::ERR_', 'WebSocket', '503'];

test('a message written while the server is away is sent by itself, once, when it is back', async ({
  chat,
  navi,
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(...SERVER_AWAY);
  await chat.start('Before the outage');
  await expect(chat.copyAnswer()).toBeVisible();
  await navi.stop();
  await chat.send('During the outage');
  await expect(page.getByText('Connection lost', { exact: false })).toBeVisible();
  await expect(chat.field).toHaveValue('During the outage');
  await navi.start();
  await expect(chat.text('During the outage')).toBeVisible({ timeout: 30_000 });
  await expect(chat.field).toHaveValue('');
  await expect(chat.text('During the outage')).toHaveCount(1);
  await expect(page.getByText('Connection lost', { exact: false })).toHaveCount(0);
});

test('an answer that a crash cut off is kept, marked, and can be resumed', async ({
  chat,
  navi,
  model,
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(...SERVER_AWAY);
  model.setScript([[text('Half an answer. '), gate(new Promise(() => {}))]]);
  await chat.start('Crash in the middle');
  await expect(chat.text('Half an answer.')).toBeVisible();
  // What is shown was written first.
  await navi.stop('SIGKILL');
  model.setScript(['The other half.']);
  await navi.start();
  await expect(page.getByText('Interrupted when the server stopped')).toBeVisible({ timeout: 30_000 });
  await expect(chat.text('Half an answer.')).toBeVisible();
  await chat.button('Resume').click();
  await expect(chat.text('The other half.')).toBeVisible();
});
