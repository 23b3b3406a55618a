import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../fixtures/accessibility';
import { createGate, text, toolCall } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';
import { PlanPanel } from '../pages/plan-panel';

const texts = (plan: PlanPanel) => expect.poll(() => plan.texts());

/** A chat with an answer, its plan open beside it. */
async function openPlan(page: Page, start: () => Promise<string>): Promise<PlanPanel> {
  await start();
  const plan = new PlanPanel(page);
  await plan.show();
  return plan;
}

test('a plan changes live in two tabs, by the person and by the agent, and is there after a reload', async ({
  chat,
  model,
  page,
  context,
}) => {
  const middle = createGate();
  model.setScript((request) => {
    if (request.messages.some((message) => message.role === 'tool')) return [middle.step, text('Started.')];
    if (!request.lastUserText.includes('Begin')) return 'Hello.';
    return [toolCall('todo', { action: 'update', index: 1, status: 'in_progress' })];
  });
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await expect(page.getByText('No plan yet')).toBeVisible();
  await plan.add('Collect the invoices', 'Check them');
  await expect(plan.addField).toBeFocused();
  const tab = await context.newPage();
  await tab.goto(page.url());
  const other = new PlanPanel(tab);
  await texts(other).toEqual(['Collect the invoices', 'Check them']);
  await other.box('Check them').click();
  await expect(plan.box(/Step 2 of 2, done.*Check them/)).toBeChecked();
  await expect(plan.progress('1 / 2 done')).toBeVisible();

  await chat.send('Begin');
  for (const seen of [plan, other]) await expect(seen.box(/Step 1 of 2, in progress/)).toBeVisible();
  middle.open();
  await expect(chat.text('Started.')).toBeVisible();
  for (const seen of [plan, other]) await expect(seen.box(/Step 1 of 2, paused/)).toBeVisible();
  await page.reload();
  await texts(plan).toEqual(['Collect the invoices', 'Check them']);
});

test('B01, B02: another chat never shows anything of a plan, not even while it changes', async ({
  chat,
  model,
  sidebar,
  page,
}) => {
  const late = createGate();
  model.setScript((request) => {
    if (!request.lastUserText.includes('alpha')) return 'Beta.';
    return request.messages.some((message) => message.role === 'tool')
      ? 'Alpha done.'
      : [late.step, toolCall('todo', { action: 'add', text: 'A late step of alpha' })];
  });
  const plan = await openPlan(page, () => chat.start('alpha, please'));
  await plan.add('A step of alpha');
  await expect(plan.box('A step of alpha')).toBeVisible();
  await sidebar.newChat.click();
  await chat.send('beta, please');
  await page.waitForURL(/\/s\//);
  await expect(page.getByText('No plan yet')).toBeVisible();
  await expect(plan.steps).toHaveCount(0);
  late.open();
  await expect(sidebar.row(/alpha/i)).toBeVisible();
  await plan.add('A step of beta');
  await texts(plan).toEqual(['A step of beta']);
  await sidebar.row(/alpha/i).first().click();
  await texts(plan).toEqual(['A step of alpha', 'A late step of alpha']);
});

test('what a person changes while an answer runs is kept, and the agent is told at its next step', async ({
  chat,
  model,
  page,
}) => {
  const middle = createGate();
  const seen: string[] = [];
  model.setScript((request) => {
    seen.push(JSON.stringify(request.messages));
    if (request.messages.some((message) => message.role === 'tool')) return 'All noted.';
    if (request.lastUserText !== 'Work on it') return 'A name';
    return [text('Working. '), middle.step, toolCall('todo', { action: 'add', text: 'By the agent' })];
  });
  await chat.start('Work on it');
  const plan = new PlanPanel(page);
  await plan.show();
  await expect(chat.text('Working.')).toBeVisible();
  await plan.add('By the person');
  await plan.box('By the person').press('Space');
  await expect(plan.box('By the person')).toBeChecked();
  middle.open();
  await expect(chat.text('All noted.')).toBeVisible();
  await texts(plan).toEqual(['By the person', 'By the agent']);
  await expect(plan.box(/added by a person: By the person/)).toBeChecked();
  expect(seen.some((messages) => messages.includes('✓ By the person'))).toBe(true);
});

test('steps are edited, moved and removed by keyboard and mouse, and come back with Undo', async ({ chat, page }) => {
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('one', 'two', 'three');
  await expect(plan.boxes).toHaveCount(3);
  await plan.box('two').press('F2');
  await plan.field(2).fill('two, changed');
  await plan.field(2).press('Enter');
  await texts(plan).toEqual(['one', 'two, changed', 'three']);
  await expect(plan.box('two, changed')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await texts(plan).toEqual(['two, changed', 'one', 'three']);
  await expect(plan.box('two, changed')).toBeFocused();
  await expect(plan.announcement).toHaveText('Moved to 1 of 3');
  await plan.row('three').getByText('three').dblclick();
  await expect(plan.field(3)).toBeFocused();
  await page.keyboard.press('Escape');
  await texts(plan).toEqual(['two, changed', 'one', 'three']);
  await plan.drag(3, 1);
  await texts(plan).toEqual(['three', 'two, changed', 'one']);
  await plan.box('two, changed').press('Delete');
  await texts(plan).toEqual(['three', 'one']);
  await expect(plan.box('one')).toBeFocused();
  await plan.add('four');
  await texts(plan).toEqual(['three', 'one', 'four']);
  await plan.undo();
  await texts(plan).toEqual(['three', 'two, changed', 'one', 'four']);
  await plan.openMenu(1);
  await page.getByRole('menuitemradio', { name: 'Skipped' }).click();
  await expect(plan.box(/Step 1 of 4, skipped/)).toBeVisible();
  await page.getByRole('button', { name: 'Actions for the plan' }).click();
  await page.getByRole('menuitem', { name: 'Clear the plan' }).click();
  await expect(plan.boxes).toHaveCount(0);
  await plan.undo();
  await texts(plan).toEqual(['three', 'two, changed', 'one', 'four']);
});

test('a chat that is deleted in one tab and taken back there can be planned in the other again', async ({
  chat,
  sidebar,
  page,
  context,
}) => {
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('one');
  await expect(plan.boxes).toHaveCount(1);
  const tab = await context.newPage();
  await tab.goto(page.url());
  const other = new PlanPanel(tab);
  await texts(other).toEqual(['one']);
  await sidebar.openRow.press('F2');
  const field = page.getByRole('textbox', { name: 'Name of the chat' });
  await field.fill('Soon gone');
  await field.press('Enter');
  await sidebar.choose('Soon gone', 'Delete');
  await expect(tab.getByRole('heading', { name: 'This chat does not exist' })).toBeVisible();
  await plan.undo();
  await texts(other).toEqual(['one']);
  await other.add('two');
  await texts(other).toEqual(['one', 'two']);
});

test('two people on one step: the later one is told and keeps their words', async ({ chat, page, context }) => {
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('Check the invoices');
  await expect(plan.boxes).toHaveCount(1);
  const tab = await context.newPage();
  await tab.goto(page.url());
  const other = new PlanPanel(tab);
  await plan.box('Check the invoices').press('F2');
  await plan.field(1).fill('My words');
  await other.box('Check the invoices').press('F2');
  await other.field(1).fill('Their words');
  await other.field(1).press('Enter');
  await expect(other.box('Their words')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Their words' })).toBeVisible();
  await plan.field(1).press('Enter');
  await expect(page.getByText('Meanwhile it was changed to “Their words”')).toBeVisible();
  await expect(plan.field(1)).toHaveValue('My words');
  await plan.field(1).press('Enter');
  await texts(other).toEqual(['My words']);
});

test('a step that goes away under the editor leaves its words to the person', async ({ chat, page, context }) => {
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('Short-lived');
  await expect(plan.boxes).toHaveCount(1);
  const tab = await context.newPage();
  await tab.goto(page.url());
  await plan.box('Short-lived').press('F2');
  await plan.field(1).fill('Worth keeping');
  await new PlanPanel(tab).box('Short-lived').press('Delete');
  await expect(plan.addField).toHaveValue('Worth keeping');
  await plan.addField.press('Enter');
  await texts(plan).toEqual(['Worth keeping']);
});

test('a plan that changed before a write arrives is not written over: CONFLICT is told and the text stays', async ({
  chat,
  page,
  context,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('409');
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('Shared');
  await expect(plan.boxes).toHaveCount(1);
  const tab = await context.newPage();
  await tab.goto(page.url());
  const other = new PlanPanel(tab);
  await expect(other.boxes).toHaveCount(1);
  const sent = createGate();
  const held = createGate();
  await page.route(/todos\.updateStep/, async (route) => {
    sent.open();
    if (held.step.kind === 'gate') await held.step.until;
    await route.continue();
  });
  await plan.box('Shared').press('F2');
  await plan.field(1).fill('Mine');
  await plan.field(1).press('Enter');
  if (sent.step.kind === 'gate') await sent.step.until;
  await other.box('Shared').press('F2');
  await other.field(1).fill('Theirs');
  await other.field(1).press('Enter');
  await texts(other).toEqual(['Theirs']);
  held.open();
  await expect(page.getByText('This step was changed meanwhile')).toBeVisible();
  await expect(plan.field(1)).toHaveValue('Mine');
  await plan.field(1).press('Escape');
  await texts(plan).toEqual(['Theirs']);
});

test('past versions say what changed and can be restored, and that undone', async ({ chat, page }) => {
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('one', 'two');
  await expect(plan.boxes).toHaveCount(2);
  await plan.box('one').press('Space');
  await expect(plan.box('one')).toBeChecked();
  await plan.openHistory();
  await expect(plan.history.getByRole('listitem').filter({ hasText: 'Done one' }).first()).toBeVisible();
  await expect(plan.history.getByText('Added two')).toBeVisible();
  await plan.history.getByRole('button', { name: 'Restore version 1,' }).click();
  await texts(plan).toEqual(['one']);
  await expect(plan.box('one')).not.toBeChecked();
  await plan.undo();
  await texts(plan).toEqual(['one', 'two']);
  await expect(plan.box('one')).toBeChecked();
});

test('a run that is cut off in mid-step is told once, and the step rests', async ({
  chat,
  model,
  navi,
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('WebSocket', 'Failed to load resource');
  const never = createGate();
  model.setScript((request) =>
    request.messages.some((message) => message.role === 'tool')
      ? [text('Halfway. '), never.step]
      : [toolCall('todo', { action: 'set', tasks: [{ text: 'The long step', status: 'in_progress' }] })],
  );
  await chat.start('Work on it');
  const plan = new PlanPanel(page);
  await plan.show();
  await expect(plan.box(/in progress: The long step/)).toBeVisible();
  await expect(chat.text('Halfway.')).toBeVisible();
  await navi.stop('SIGKILL');
  never.open();
  await navi.start();
  await expect(plan.recovery).toContainText('step 1', { timeout: 40_000 });
  await expect(plan.box(/paused: The long step/)).toBeVisible();
  await page.reload();
  await expect(plan.recovery).toBeVisible();
  await plan.recovery.getByRole('button', { name: 'Dismiss' }).click();
  await expect(plan.recovery).toHaveCount(0);
  await page.reload();
  await expect(plan.box(/paused: The long step/)).toBeVisible();
  await expect(plan.recovery).toHaveCount(0);
});

test('a planning phase is told while it runs, and its card opens the plan that it filled', async ({
  chat,
  model,
  page,
}) => {
  const written = createGate();
  model.setScript((request) => {
    if (request.lastUserText.includes('[Planning: analysis]')) return 'Notes are to be read.\nREFLECT: no';
    if (!request.lastUserText.includes('[Planning: plan]')) return 'Begun.';
    return [
      written.step,
      text('# The notes\n## Collected\n1. Read the notes [TOOL: read_file]\n2. Add them up [SELF]'),
    ];
  });
  const sessionId = await chat.start('Hello there');
  const plan = new PlanPanel(page);
  await expect(chat.copyAnswer()).toBeVisible();
  await page.request.post('/trpc/messages.send', {
    data: { sessionId, clientMessageId: crypto.randomUUID(), text: 'Sum up the notes', plan: true },
  });
  await expect(chat.text('Writing the plan')).toBeVisible();
  await page.reload();
  await expect(chat.text('Writing the plan')).toBeVisible();
  written.open();
  const card = chat.messages.getByRole('region', { name: 'Plan' });
  await expect(card.getByRole('heading')).toHaveText('The notes');
  await expect(card.getByRole('list', { name: 'Milestones' })).toHaveText('Collected');
  await expect(card.getByRole('listitem').filter({ hasText: 'Read the notes' })).toContainText('read_file');
  await expect(chat.text('Writing the plan')).toHaveCount(0);
  await card.getByRole('button', { name: 'Open in plan' }).click();
  await texts(plan).toEqual(['Read the notes', 'Add them up']);
  await expect(plan.box(/from the plan phase: Read the notes/)).toBeVisible();
});

test('where there is no room the plan is a line above the composer and a sheet', async ({ chat, page }) => {
  const plan = await openPlan(page, () => chat.start('Hello there'));
  await plan.add('Check the invoices', 'x'.repeat(200));
  await expect(plan.boxes).toHaveCount(2);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(plan.dock).toHaveCount(0);
  await expect(plan.bar).toContainText('0 / 2 done');
  await expect(plan.bar).toContainText('Check the invoices');
  await plan.bar.click();
  await expect(plan.sheet).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await plan.box('Check the invoices').click();
  await plan.openMenu(2);
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(plan.boxes).toHaveCount(1);
  await plan.undo();
  await expect(plan.boxes).toHaveCount(2);
  await expect(plan.sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(plan.sheet).toHaveCount(0);
  await expect(plan.bar).toContainText('1 / 2 done');
  await expect(plan.bar).toBeFocused();
});

test('the side panel opens and closes by keyboard and is remembered', async ({ chat, page }) => {
  await chat.start('Hello there');
  const plan = new PlanPanel(page);
  await expect(plan.dock).toHaveCount(0);
  await chat.field.press('Control+Shift+L');
  await expect(page.getByRole('tab', { name: 'Plan' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chat.field).toBeFocused();
  await page.reload();
  await expect(plan.dock).toBeVisible();
  await chat.field.press('Control+Shift+L');
  await expect(plan.dock).toHaveCount(0);
  await page.reload();
  await expect(chat.field).toBeVisible();
  await expect(plan.dock).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the plan panel has no accessibility faults (${colorScheme})`, async ({ chat, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const plan = await openPlan(page, () => chat.start('Hello there'));
    await plan.add('one', 'two', 'three');
    await expect(plan.boxes).toHaveCount(3);
    await plan.box('one').click();
    await plan.openMenu(2);
    await page.getByRole('menuitemradio', { name: 'Failed' }).click();
    await expect(plan.box(/failed.*two/)).toBeVisible();
    expect(await accessibilityFaults(page, '#dock')).toEqual([]);
    await plan.openHistory();
    await expect(plan.history.getByText('Failed two')).toBeVisible();
    expect(await accessibilityFaults(page, '[role=dialog]')).toEqual([]);
  });
}
