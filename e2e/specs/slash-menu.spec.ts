import { expect, test } from '../fixtures/test';
import { ContextPage } from '../pages/context-page';
import { PlanPanel } from '../pages/plan-panel';

test('a profile is chosen with the keyboard, before the chat exists and in its middle', async ({
  chat,
  model,
  page,
}) => {
  const { menu } = new ContextPage(page);
  const profile = (name: string) => page.getByRole('button', { name: `Profile: ${name}` });
  await chat.openNew();
  await expect(profile('Navi')).toBeVisible();
  await chat.field.pressSequentially('/cod');
  await expect(menu.getByRole('option')).toHaveText([/\/coder/]);
  await chat.field.press('Enter');
  await expect(profile('Coder')).toBeVisible();
  await expect(chat.field).toHaveValue('');

  model.setScript(['DIRECT', 'Compiled.', 'A name', 'As before.']);
  await chat.send('Compile it');
  await expect(chat.text('Compiled.')).toBeVisible();
  await expect(profile('Coder')).toBeVisible();
  // What follows the name is sent under the profile.
  await chat.send('/navi And now?');
  await expect(chat.text('Profile: Navi')).toBeVisible();
  await expect(chat.text('And now?')).toBeVisible();
  await expect(profile('Navi')).toBeVisible();
  await expect(chat.text('As before.')).toBeVisible();

  await profile('Navi').click();
  await page.getByRole('menuitemradio', { name: /Coder.*Plans first/ }).click();
  await expect(profile('Coder')).toBeFocused();
  await chat.openNew();
  await profile('Coder').click();
  await page.getByRole('menuitemradio', { name: /^Navi/ }).click();
  await expect(profile('Navi')).toBeVisible();
});

// The refused start.
test.use({ expectedConsoleErrors: ['409'] });

test('a protocol is started from a slash: its steps are in the plan, and the agent is told', async ({
  chat,
  model,
  page,
}) => {
  const { menu } = new ContextPage(page);
  const plan = new PlanPanel(page);
  await chat.openNew();
  await chat.field.pressSequentially('/bug');
  await expect(menu.getByRole('option')).toHaveText([/\/fix-bug.*Fix a bug.*7 steps/]);
  await chat.field.press('Tab');
  await chat.field.pressSequentially('the login fails');
  model.setScript(['I will look at the login.', 'A name']);
  await chat.field.press('Enter');
  await expect(chat.text(/Work through the protocol “Fix a bug”/)).toBeVisible();
  await expect(chat.text('the login fails')).toBeVisible();
  await plan.show();
  await expect(plan.boxes).toHaveCount(7);
  await expect(plan.boxes.first()).toHaveAccessibleName(/protocol/);

  // Twice at once is refused with the reason, and what was typed stays.
  await expect(chat.copyAnswer()).toBeVisible();
  // The page has just changed to the new chat, whose list of protocols may not be there yet: sending waits for it.
  await chat.send('/fix-bug again');
  await expect(page.getByText(/fix-bug is in progress already/)).toBeVisible();
  await expect(chat.field).toHaveValue('/fix-bug again');
  await expect(plan.boxes).toHaveCount(7);
});

test('a protocol that is sent before the list of protocols is there waits for it', async ({ chat, model, page }) => {
  let giveList = (): void => {};
  const isGiven = new Promise<void>((resolve) => {
    giveList = resolve;
  });
  await page.route(/todos\.protocols/, async (route) => {
    await isGiven;
    await route.continue();
  });
  await chat.openNew();
  model.setScript(['I will look at the login.', 'A name']);
  await chat.field.fill('/fix-bug the login fails');
  await chat.field.press('Enter');
  await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled();
  await expect(chat.field).toHaveValue('/fix-bug the login fails');
  giveList();
  await expect(chat.text(/Work through the protocol “Fix a bug”/)).toBeVisible();
  await expect(chat.field).toHaveValue('');
});

test('the menu is walked with arrows, closed with Esc, and says when there is no such command', async ({
  chat,
  page,
}) => {
  const { menu } = new ContextPage(page);
  await chat.openNew();
  await chat.field.pressSequentially('/');
  const options = menu.getByRole('option');
  await expect(options).toHaveText([/\/plan/, /\/navi/, /\/coder/, /\/fix-bug/, /\/research/, /\/write-document/]);
  await chat.field.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await expect(options.last()).toBeInViewport();
  await chat.field.press('Escape');
  await expect(menu).toHaveCount(0);
  await chat.field.fill('/nothing-like-it');
  await expect(page.getByText('There is no such command.')).toBeVisible();
  await chat.send('/etc/hosts is missing');
  await expect(chat.text('/etc/hosts is missing')).toBeVisible();
});
