import type { Page } from '@playwright/test';
import { createGate, text } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';

const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} line ${index + 1}.\n\n`).join('');

const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
/** Where the page stands once it has stood there for so many frames: a wheel's way takes several, and so do rows that find their heights. */
const restingPlace = (page: Page) =>
  conversation(page).evaluate(async (scroller) => {
    for (let still = 0, before = ''; still < 10; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = `${scroller.scrollTop} of ${scroller.scrollHeight}`;
      still = now === before ? still + 1 : 0;
      before = now;
    }
    return scroller.scrollTop;
  });
const restBelow = (page: Page) =>
  conversation(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);

test('the page follows an answer only while the reader is at its end, and the pill leads back', async ({
  chat,
  model,
  page,
}) => {
  const [second, third] = [createGate(), createGate()];
  model.setScript((request) =>
    request.lastUserText === 'Go on at length'
      ? [text(lines('First', 60)), second.step, text(lines('Second', 30)), third.step, text(lines('Third', 30))]
      : 'A name',
  );
  await chat.start('Go on at length');
  await expect(chat.text('First line 60.')).toBeInViewport();
  const newText = chat.button('New text');
  await expect(newText).toHaveCount(0);

  await conversation(page).hover();
  await page.mouse.wheel(0, -900);
  await expect.poll(() => restBelow(page)).toBeGreaterThan(600);
  const scrollTop = await restingPlace(page);
  second.open();
  await expect(newText).toBeVisible();
  expect(await conversation(page).evaluate((scroller) => scroller.scrollTop)).toBe(scrollTop);
  await newText.click();
  await expect(chat.text('Second line 30.')).toBeInViewport();
  await expect(newText).toHaveCount(0);

  third.open();
  await expect(chat.text('Third line 30.')).toBeInViewport();
  await expect(chat.copyAnswer()).toBeInViewport();
});

test('a new line and its place come in one frame, and what is shown takes clicks meanwhile', async ({
  chat,
  model,
  page,
}) => {
  const more = Array.from({ length: 12 }, () => createGate());
  model.setScript((request) =>
    request.lastUserText === 'Line by line'
      ? [
          text(lines('Begun', 40)),
          ...more.flatMap((gate, index) => [gate.step, text(`Line of step ${index + 1}.\n\n`)]),
        ]
      : 'A name',
  );
  await chat.start('Line by line');
  await expect(chat.text('Begun line 40.')).toBeInViewport();
  // What a frame callback sees is what the frame before has shown.
  await conversation(page).evaluate((scroller) => {
    const seen = { restBelow: 0, heights: new Set<number>(), isDeaf: false };
    Object.assign(window, { seen });
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = scroller;
      seen.restBelow = Math.max(seen.restBelow, scrollHeight - scrollTop - clientHeight);
      seen.heights.add(scrollHeight);
      const line = scroller.querySelector('p');
      if (line !== null && getComputedStyle(line).pointerEvents === 'none') seen.isDeaf = true;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const [index, gate] of more.slice(0, -1).entries()) {
    gate.open();
    await expect(chat.text(`Line of step ${index + 1}.`)).toBeInViewport();
  }
  const seen = await page.evaluate(() => {
    const { restBelow, heights, isDeaf } = (
      window as unknown as { seen: { restBelow: number; heights: Set<number>; isDeaf: boolean } }
    ).seen;
    return { restBelow: Math.floor(restBelow), changes: heights.size, isDeaf };
  });
  expect(seen).toEqual({ restBelow: 0, changes: expect.any(Number), isDeaf: false });
  expect(seen.changes).toBeGreaterThan(8);

  // The search of the browser, say, scrolls without wheel or key: what comes below does not take the reader back.
  await conversation(page).evaluate((scroller) => scroller.scrollTo(0, 0));
  await expect(chat.button('To the end')).toBeVisible();
  more.at(-1)?.open();
  await expect(chat.button('New text').or(chat.button('To the end'))).toBeVisible();
  await expect(chat.stopButton).toHaveCount(0);
  expect(await conversation(page).evaluate((scroller) => scroller.scrollTop)).toBe(0);
});

test('older pages join above without moving what is read', async ({ chat, model, page }) => {
  const turns = 30;
  model.setScript((request) => `Answer to ${request.lastUserText}\n\n${lines('Filler', 4)}`);
  const sessionId = await chat.start('question 1');
  await expect(chat.copyAnswer()).toBeVisible();
  for (let turn = 2; turn <= turns; turn++) {
    const sent = await page.request.post('/trpc/messages.send', {
      data: { sessionId, clientMessageId: crypto.randomUUID(), text: `question ${turn}` },
    });
    expect(sent.ok()).toBe(true);
  }
  await expect(chat.text(`Answer to question ${turns}`)).toBeVisible({ timeout: 45_000 });
  await expect(chat.stopButton).toHaveCount(0);

  const held = createGate();
  await page.reload();
  await expect(chat.text(`Answer to question ${turns}`)).toBeVisible();
  await page.route(/messages\.page/, async (route) => {
    await held.opened;
    await route.continue();
  });
  const asked = page.waitForRequest(/messages\.page/);
  const scroller = conversation(page);
  await scroller.evaluate((element) => element.scrollTo(0, 600));
  await asked;
  const anchor = chat.text(/^question \d+$/).first();
  await restingPlace(page);
  const before = await anchor.evaluate((element) => ({
    words: element.textContent,
    top: element.getBoundingClientRect().top,
  }));
  const height = await scroller.evaluate((element) => element.scrollHeight);
  held.open();
  await expect.poll(() => scroller.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height + 500);
  const now = chat.messages.getByText(before.words ?? '', { exact: true });
  await expect
    .poll(async () => Math.abs((await now.evaluate((element) => element.getBoundingClientRect().top)) - before.top))
    .toBeLessThanOrEqual(1);
});

test('the key End leads to the end that is there once the rest has come', async ({ chat, model, page }) => {
  const more = createGate();
  model.setScript((request) =>
    request.lastUserText === 'Go on at length'
      ? [text(lines('First', 60)), more.step, text(lines('Second', 30))]
      : 'A name',
  );
  await chat.start('Go on at length');
  await expect(chat.text('First line 60.')).toBeInViewport();
  await conversation(page).hover();
  await page.mouse.wheel(0, -900);
  await expect.poll(() => restBelow(page)).toBeGreaterThan(600);
  // The text comes before the browser has begun to scroll: a key that it hears of and does not act on.
  await conversation(page).dispatchEvent('keydown', { key: 'End' });
  more.open();
  await expect(chat.text('Second line 30.')).toBeInViewport();
});
