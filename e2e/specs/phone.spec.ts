import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test';

const wide = `${'long'.repeat(60)}\n\n| ${'column | '.repeat(10)}\n|${'---|'.repeat(10)}\n| ${'value | '.repeat(10)}\n\n\`\`\`ts\n${'x'.repeat(200)}\n\`\`\`\n`;
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

for (const width of [320, 390]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 720 }, hasTouch: true });

    test('nothing scrolls sideways, with whatever an answer holds', async ({ chat, model, page }) => {
      await chat.openNew();
      expect(await widthOf(page)).toBe(width);
      model.setScript([wide, 'A name']);
      await chat.send(`What about ${'averylongword'.repeat(12)}?`);
      await expect(chat.copyAnswer()).toBeVisible();
      expect(await widthOf(page)).toBe(width);
      await expect(chat.field).toBeInViewport();
    });

    test('chats are in a drawer, the plan in a sheet', async ({ chat, sidebar, page }) => {
      await chat.start('On the phone');
      await expect(chat.copyAnswer()).toBeVisible();
      await expect(sidebar.list).toHaveCount(0);
      await chat.button('Show sidebar').click();
      const drawer = page.getByRole('dialog', { name: 'Chats' });
      await expect(drawer.getByRole('navigation', { name: 'Chats' })).toBeVisible();
      await sidebar.openRow.click();
      await expect(drawer).toHaveCount(0);

      await chat.button('Show the side panel').click();
      const sheet = page.getByRole('dialog', { name: 'Beside the chat' });
      await expect(sheet).toBeVisible();
      expect(await widthOf(page)).toBe(width);
      await page.keyboard.press('Escape');
      await expect(sheet).toHaveCount(0);
    });
  });
}
