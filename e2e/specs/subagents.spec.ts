import { createGate, type RecordedRequest, type Reply, text, toolCall } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';
import { PlanPanel } from '../pages/plan-panel';

const isSubagent = (request: RecordedRequest) =>
  JSON.stringify(request.messages[0] ?? '').includes('working as a subagent');
const results = (request: RecordedRequest) => request.messages.filter((message) => message.role === 'tool').length;

test('a subagent nests below its step and its call, live, and shows what it did afterwards', async ({
  chat,
  model,
  page,
}) => {
  const middle = createGate();
  model.setScript((request): Reply => {
    if (request.body.tools === undefined) return 'A name';
    if (isSubagent(request)) {
      if (results(request) > 0) return [middle.step, text('There are seven.')];
      return [toolCall('todo', { action: 'set', tasks: [{ text: 'Look into every folder', status: 'in_progress' }] })];
    }
    if (results(request) === 0) {
      return [toolCall('todo', { action: 'set', tasks: [{ text: 'Know the files', status: 'in_progress' }] })];
    }
    return results(request) === 1 ? [toolCall('spawn_agent', { task: 'Count the files' })] : 'Seven files.';
  });
  await chat.start('How many files?');
  const plan = new PlanPanel(page);
  await plan.show();
  const nested = page.getByRole('list', { name: 'Subagents at work' });
  const inPlan = nested.getByRole('article', { name: 'Subagent: Count the files' });
  const inChat = chat.messages.getByRole('article', { name: 'Subagent: Count the files' });
  for (const subagent of [inPlan, inChat]) {
    await expect(subagent.getByText('Look into every folder')).toBeVisible();
    await expect(subagent.getByText('Step 2')).toBeVisible();
  }
  // The parent's plan is its own.
  expect(await plan.texts()).toEqual(['Know the files']);
  // A page that opens in the middle shows the same.
  await page.reload();
  for (const subagent of [inPlan, inChat]) await expect(subagent.getByText('Look into every folder')).toBeVisible();
  middle.open();
  await expect(chat.text('Seven files.')).toBeVisible();
  await expect(nested).toHaveCount(0);
  await page.getByRole('button', { name: '1 subagent' }).click();
  const finished = page.getByRole('list', { name: 'Subagents whose work is over' }).getByRole('article');
  await finished.getByRole('button', { name: 'Count the files' }).click();
  await expect(finished.getByText('Look into every folder')).toBeVisible();
  await finished.getByRole('link', { name: 'Open its chat' }).click();
  await expect(chat.text('There are seven.')).toBeVisible();
});

test('how a turn was planned stands on a page of its own, and steps say who does them', async ({
  chat,
  model,
  page,
}) => {
  model.setScript((request): Reply => {
    if (request.lastUserText.includes('[Planning: analysis]')) return 'The notes must be read first.\nREFLECT: no';
    if (request.lastUserText.includes('[Planning: plan]')) {
      return '## Collected\n1. Read the notes [TOOL: read_file]\n2. Add them up [SELF]';
    }
    return 'Begun.';
  });
  await chat.start('/plan Sum up the notes');
  const plan = new PlanPanel(page);
  await plan.show();
  await expect(plan.box(/by the tool read_file, from the plan phase: Read the notes/)).toBeVisible();
  await expect(plan.row('Read the notes').getByTitle('Tool: read_file')).toBeVisible();
  await chat.messages.getByRole('link', { name: 'How it was planned' }).click();
  await expect(page.getByRole('heading', { name: 'Planning', level: 1 })).toBeVisible();
  await expect(page.getByText('A plan was made')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Analysis' })).toContainText('The notes must be read first.');
  await page.reload();
  const written = page.getByRole('region', { name: 'Plan', exact: true });
  await expect(written).toContainText('1. Read the notes [TOOL: read_file]');
  await written.getByRole('button', { name: 'What it was asked' }).click();
  await expect(written).toContainText('[Planning: plan]');
  await page.getByRole('link', { name: 'The message' }).click();
  await expect(chat.text('Sum up the notes')).toBeVisible();
});
