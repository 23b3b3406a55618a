/** With scroll bars that take room, as most desktops have them. Chromium without a window hides them unless it is told not to. */
import config from '../../playwright.config';
import { textPdf } from '../fixtures/sample-files';
import { expect, test } from '../fixtures/test';
import { FilesPage } from '../pages/files';

test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } });

test('a slide that would just fit without a scroll bar is drawn once and stands still', async ({ chat, page }) => {
  const files = new FilesPage(page);
  const sessionId = await chat.start('Hello');
  await expect(chat.copyAnswer()).toBeVisible();
  const slide = textPdf(['A slide']).replace('0 0 595 842', '0 0 960 540');
  await files.put(sessionId, { name: 'slide.pdf', mimeType: 'application/pdf', buffer: Buffer.from(slide) });
  await page.setViewportSize({ width: 800, height: 600 });
  await page.reload();
  await files.openPanel();
  await files.open('slide.pdf');
  const slidePage = files.stage.locator('[data-page]');
  await expect(slidePage).toBeVisible();
  // Every height at which it may fit, one pixel after the other: a few frames later nothing changes any more.
  for (let height = 500; height <= 525; height++) {
    await page.setViewportSize({ width: 800, height });
    const widths = await slidePage.evaluate(async (element) => {
      const seen: string[] = [];
      for (let frame = 0; frame < 12; frame++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        seen.push(element.style.width);
      }
      return new Set(seen.slice(-6)).size;
    });
    expect(widths, `${height} px high`).toBe(1);
  }
});
