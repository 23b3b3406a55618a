import { accessibilityFaults } from '../fixtures/accessibility';
import { createGate, text } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';
import { ContextPage } from '../pages/context-page';

const FACT = 'The archive key of the observatory is number 1187, in the grey cabinet of room 214.';
const padding = (topic: string) => Array.from({ length: 20 }, (_, line) => `Line ${line} about ${topic}.`).join(' ');
const SUMMARY =
  '- Goal: the user asked about the garden and the harbour.\n- Done: two topics were talked through.\nKEYS: garden, harbour';

test('a compression is watched, read, undone and made again, and what left comes back when it is asked for', async ({
  chat,
  model,
  page,
}) => {
  const writing = createGate();
  let isHeld = true;
  model.setScript((request) => {
    const { lastUserText } = request;
    if (lastUserText.includes('<conversation>')) {
      if (!isHeld) return SUMMARY;
      isHeld = false;
      return [text('- Goal: '), writing.step, text(SUMMARY.slice('- Goal: '.length))];
    }
    if (lastUserText.includes('What is the number')) return 'It is 1187.';
    if (lastUserText.includes('observatory')) return `${FACT} ${padding('stars')}`;
    return padding(lastUserText.slice(0, 30));
  });
  const context = new ContextPage(page);
  const isAnswered = async () => {
    await expect(chat.stopButton).toHaveCount(0);
    await expect(chat.copyAnswer().last()).toBeVisible();
  };
  await chat.start('Tell me about the observatory');
  await expect(chat.text(/Line 19 about stars/)).toBeVisible();
  await isAnswered();
  for (const topic of ['the garden', 'the harbour', 'the market']) {
    await chat.send(`And about ${topic}?`);
    await expect(chat.text(new RegExp(`Line 19 about And about ${topic}`))).toBeVisible();
    await isAnswered();
  }
  await expect(context.rails('summarised')).toHaveCount(0);

  // The menu, by keyboard.
  await chat.field.pressSequentially('/com');
  await expect(context.menu.getByRole('option')).toHaveText([/\/compact/]);
  await context.field.press('Escape');
  await expect(context.menu).toBeHidden();
  await context.compact('the garden');
  await expect(context.liveCard).toContainText('Writing the summary');
  await expect(context.field).toHaveValue('');
  // The foot of the last answer stays, and nothing pretends that an answer is being written.
  await expect(chat.copyAnswer().last()).toBeVisible();
  writing.open();
  await expect(context.cards).toHaveCount(1);
  await expect(context.liveCard).toHaveCount(0);
  const card = context.cards.first();
  await expect(card).toContainText(/Context compressed.*tokens.*messages.*forced/);
  await context.scrollToTop();
  await expect(context.rails('summarised').first()).toBeVisible();
  await context.scrollToEnd();

  await context.open(card);
  // It stood at the very end, yet what it opens to is not hidden behind the composer.
  await expect(card.getByText('the user asked about the garden and the harbour')).toBeInViewport();
  await expect(card.getByText('Kept in particular: the garden')).toBeVisible();
  await context.showCovered(card);
  await expect(context.covered(card).first()).toContainText('Tell me about the observatory');
  await card.getByRole('list', { name: 'Breadcrumbs' }).getByRole('button', { name: 'harbour', exact: true }).click();
  await expect(context.memoryField).toHaveValue('harbour');
  await expect(context.found.first()).toContainText('harbour');
  await context.memoryField.fill('archive key observatory');
  await expect(context.found.first()).toContainText('1187');
  await context.found.first().getByRole('button', { name: 'Go there' }).click();
  await expect(page.locator('.pointed-at')).toContainText('observatory');

  await context.scrollToEnd();
  await card.getByRole('button', { name: 'Undo' }).click();
  await expect(card).toContainText('Compression undone');
  await expect(context.rails('summarised')).toHaveCount(0);
  // The button was scrolled to, and the card of another compression comes below what is in view.
  await context.scrollToEnd();
  await context.compact();
  await expect(context.cards).toHaveCount(2);
  await expect(context.cards.last()).toContainText('Context compressed');
  await page.reload();
  await expect(context.cards).toHaveCount(2);
  await expect(context.cards.first()).toContainText('Compression undone');

  await chat.send('What is the number of the archive key of the observatory?');
  await expect(chat.text('It is 1187.')).toBeVisible();
  await expect(context.recalled).toContainText(/Recalled \d passages? from earlier/);
  await context.recalled.getByRole('button').first().click();
  await expect(context.recalled).toContainText('1187');

  await context.openTab('Context');
  await expect(context.seen.filter({ hasText: 'Summary' }).first()).toContainText('the garden and the harbour');
  await expect(context.seen.filter({ hasText: 'Recalled' })).toHaveCount(1);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a summary that cannot be used is told in words, and leaves the context as it was', async ({
  chat,
  model,
  page,
}) => {
  model.setScript((request) =>
    request.lastUserText.includes('<conversation>')
      ? 'I’m sorry, but I can’t help with that.'
      : padding(request.lastUserText.slice(0, 30)),
  );
  const context = new ContextPage(page);
  await chat.start('Tell me about the garden');
  await expect(chat.copyAnswer()).toHaveCount(1);
  await chat.send('And about the harbour?');
  await expect(chat.copyAnswer()).toHaveCount(2);
  await context.compact();
  await expect(context.cards).toHaveText(/was not compressed: the model refused to write a summary. It is as it was/);
  await expect(context.rails('summarised')).toHaveCount(0);
  await expect(context.cards.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('the ring tells what the next request is made of, and refuses quietly when there is nothing to compress', async ({
  chat,
  page,
}) => {
  const context = new ContextPage(page);
  await chat.start('Hello there');
  await expect(chat.copyAnswer()).toHaveCount(1);
  await context.ring.click();
  await expect(context.details).toContainText(/Instructions.*Tools.*Messages.*Kept free/);
  await expect(context.details).toContainText(/compresses from [\d,]+/);
  await context.details.getByRole('button', { name: 'Compress now' }).click();
  await expect(page.getByText('There is nothing to compress yet')).toBeVisible();
  await context.details.getByRole('button', { name: 'Message by message' }).click();
  await expect(context.seen.first()).toContainText('Instructions');
  await expect(context.seen.filter({ hasText: 'Hello there' })).toHaveCount(1);
});

test('/plan asks for a plan before the answer, and a slash inside a text is only a slash', async ({
  chat,
  model,
  page,
}) => {
  const asked: string[] = [];
  model.setScript((request) => {
    asked.push(request.lastUserText);
    return 'Hello.';
  });
  const context = new ContextPage(page);
  await chat.openNew();
  await chat.field.fill('/plan');
  await context.field.press('Enter');
  await expect(context.field).toHaveValue('/plan ');
  await context.field.press('Enter');
  await expect(page.getByText('Write behind /plan')).toBeVisible();
  await context.field.pressSequentially('a trip to the sea');
  await context.field.press('Enter');
  await page.waitForURL(/\/s\//);
  await expect(chat.text('a trip to the sea')).toBeVisible();
  await expect(chat.copyAnswer()).toHaveCount(1);
  await chat.field.fill('see /etc/hosts');
  await expect(context.menu).toBeHidden();
  await chat.field.press('Enter');
  await expect(chat.copyAnswer()).toHaveCount(2);
  expect(asked).toContain('see /etc/hosts');
});
