import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../fixtures/accessibility';
import { text, thinking, toolCall } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';

const rich =
  '# Title\n\nText with `code` and a [link](https://a.example).\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> quote\n\n```ts\nconst a = 1; // note\n```\n';

/** What axe calls serious or critical, with the elements. */
async function violations(page: Page) {
  return (await accessibilityFaults(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' });

    test('an empty chat, a full one, its side panel and a failed one are accessible', async ({ chat, model, page }) => {
      await chat.openNew();
      expect(await violations(page)).toEqual([]);
      model.setScript([[thinking('Let me see. '), toolCall('current_time', {})], [text(rich)], 'A name']);
      await chat.send('Show me everything');
      await expect(chat.copyAnswer()).toBeVisible();
      await expect(page.locator('pre .md-keyword').first()).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await chat.button('Show the side panel').click();
      await expect(page.getByRole('tab', { name: 'Plan' })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      model.setScript([[{ kind: 'status', status: 400, body: { error: 'the model is broken' } }]]);
      await chat.send('Fail, please');
      await expect(chat.button('Retry')).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });

    test.describe('on a phone', () => {
      test.use({ viewport: { width: 390, height: 720 } });

      test('a chat and its drawer are accessible', async ({ chat, model, page }) => {
        model.setScript([rich, 'A name']);
        await chat.start('Show me everything');
        await expect(chat.copyAnswer()).toBeVisible();
        expect(await violations(page)).toEqual([]);
        await chat.button('Show sidebar').click();
        await expect(page.getByRole('dialog', { name: 'Chats' })).toBeVisible();
        expect(await violations(page)).toEqual([]);
      });
    });
  });
}

test('a chat is begun, read, renamed and left with the keyboard alone', async ({ chat, sidebar, page }) => {
  await page.goto('/');
  await expect(chat.field).toBeFocused();
  await page.keyboard.type('Written without a mouse');
  await page.keyboard.press('Enter');
  await expect(chat.copyAnswer()).toBeVisible();
  await expect(chat.field).toBeFocused();

  // Backwards out of the composer, through the answer's actions, each with a ring.
  await page.keyboard.press('Shift+Tab');
  for (const name of ['Fork from here', 'Answer again', 'Copy answer']) {
    const button = chat.button(name);
    // A key has moved the focus when its press is over: a second look would only press past it.
    do await page.keyboard.press('Shift+Tab');
    while (!(await button.evaluate((element) => element === document.activeElement)));
  }
  expect(await chat.copyAnswer().evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');

  await page.keyboard.press('Control+Shift+O');
  await expect(page).toHaveURL(/\/$/);
  await expect(chat.field).toBeFocused();
  await sidebar.row(/./).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/s\//);
  await sidebar.openRow.focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('Named by key');
  await page.keyboard.press('Enter');
  await expect(sidebar.row('Named by key')).toBeVisible();
});

test('with reduced motion nothing moves', async ({ chat, model, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const never = new Promise<void>(() => {});
  model.setScript([[{ kind: 'gate', until: never }]]);
  await chat.start('Take your time');
  await expect(page.getByText('Waiting for the model')).toBeVisible();
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  await expect.poll(moving).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(moving).toBeGreaterThan(0);
  await chat.stopButton.click();
  await expect(chat.button('Resume')).toBeVisible();
});
