/** The whole of it: a plan made, worked on by agent and person at once, cut off by a crash and brought to its end; seen by nobody else. */
import type { Page } from '@playwright/test';
import { createGate, type RecordedRequest, type Reply, type Step, text, toolCall } from '../fixtures/model-servers';
import { expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chat-page';
import { PlanPanel } from '../pages/plan-panel';

const PLANNED = ['Read the notes', 'Sum them up'];
const BY_PERSON = 'Call the bank';
/** The first step of the built-in protocol “Write a document”, and how many it has. */
const FIRST_OF_PROTOCOL = 'Say who reads it';
const PROTOCOL_STEPS = 7;

/** What the agent is told of its plan: the newest of what it is sent. */
const toldBy = (request: RecordedRequest) => String(request.messages.at(-1)?.content ?? '');

/** The first step of the plan with this icon, as the reminder shows it. */
function shownStep(told: string, icon: string): { index: number; text: string } | null {
  const match = new RegExp(`^(\\d+)\\. ${icon} (.*)$`, 'm').exec(told);
  return match === null ? null : { index: Number(match[1]), text: match[2] ?? '' };
}

/** Goes by the plan that it is told of: begins the first open step, ends it with how it was checked, then the protocol. */
function createAgent() {
  let isProtocolStarted = false;
  let isProtocolFinished = false;
  return function* (request: RecordedRequest, at: (step: string) => Step[]): Generator<Step> {
    const told = toldBy(request);
    const active = shownStep(told, '◎');
    const open = shownStep(told, '○');
    if (!isProtocolStarted) {
      isProtocolStarted = true;
      yield toolCall('protocol', { action: 'start', protocol: 'write-document', after: 2 });
    } else if (active !== null) {
      yield* at(active.text);
      yield toolCall('todo', { action: 'update', index: active.index, status: 'done', validation: 'read it again' });
    } else if (open !== null) yield toolCall('todo', { action: 'update', index: open.index, status: 'in_progress' });
    else if (!isProtocolFinished) {
      isProtocolFinished = true;
      yield toolCall('protocol', { action: 'finish' });
    } else yield text('All of it is done.');
  };
}

/** Records what of another session's plan ever stands on a page, from now on. */
async function watchFor(page: Page, words: readonly string[]): Promise<() => Promise<string[]>> {
  await page.evaluate((wanted) => {
    const seen: string[] = [];
    Object.assign(window, { seenOfOthers: seen });
    const look = () => {
      const shown = document.querySelector('main')?.textContent ?? '';
      for (const word of wanted) if (shown.includes(word) && !seen.includes(word)) seen.push(word);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  }, words);
  return () => page.evaluate(() => (window as unknown as { seenOfOthers: string[] }).seenOfOthers);
}

test('agent and person work on one plan through a crash to its end, and another session never shows any of it', async ({
  chat,
  model,
  navi,
  page,
  context,
  expectedConsoleErrors,
}) => {
  test.setTimeout(240_000);
  expectedConsoleErrors.push('WebSocket', 'Failed to load resource');
  const [withPerson, never] = [createGate(), createGate()];
  const notes: string[] = [];
  const work = createAgent();
  let isKilled = false;
  model.setScript((request): Reply => {
    const { lastUserText } = request;
    if (lastUserText.includes('[Planning: analysis]')) return 'Two things are to be done.\nREFLECT: no';
    if (lastUserText.includes('[Planning: plan]')) {
      return `## Ready\n1. ${PLANNED[0]} [TOOL: read_file]\n2. ${PLANNED[1]} [SELF]`;
    }
    if (!JSON.stringify(request.messages).includes('the yearly report')) return 'Hello.';
    if (request.body.tools === undefined) return 'The report';
    const note = /Recovery: [^\n]*/.exec(toldBy(request))?.[0];
    if (note !== undefined) notes.push(note);
    return work(request, (step) => {
      if (step.startsWith(PLANNED[0] ?? '') && !isKilled) return [text('I am reading. '), withPerson.step];
      if (step.startsWith(FIRST_OF_PROTOCOL) && !isKilled) return [text('Halfway through. '), never.step];
      return [];
    });
  });

  // Somebody looks at another chat all the while, its plan beside it.
  const tab = await context.newPage();
  const other = new ChatPage(tab);
  await other.start('Hello there');
  const otherPlan = new PlanPanel(tab);
  await otherPlan.show();
  await otherPlan.add('A step of the other chat');
  await expect(otherPlan.boxes).toHaveCount(1);
  const seenInOther = await watchFor(tab, [...PLANNED, BY_PERSON, FIRST_OF_PROTOCOL]);

  // It plans, starts a protocol and works.
  await page.bringToFront();
  await chat.start('/plan Write the yearly report');
  // The side panel that was opened in the other tab is open here as well.
  const plan = new PlanPanel(page);
  await expect(plan.box(/in progress.*Read the notes/)).toBeVisible();
  await expect(plan.boxes).toHaveCount(2 + PROTOCOL_STEPS);
  await expect(plan.box(/from a protocol: Say who reads it/)).toBeVisible();
  await expect(chat.text('I am reading.')).toBeVisible();

  // Meanwhile the person adds a step and ticks another.
  await plan.add(BY_PERSON);
  await plan.box('Sum them up').click();
  await expect(plan.box('Sum them up')).toBeChecked();
  await expect(plan.boxes).toHaveCount(3 + PROTOCOL_STEPS);
  withPerson.open();
  await expect(plan.box(/in progress.*Say who reads it/)).toBeVisible();
  await expect(chat.text('Halfway through.')).toBeVisible();

  // The server is killed in mid-step and started again.
  await navi.stop('SIGKILL');
  isKilled = true;
  never.open();
  await navi.start();
  await expect(plan.recovery).toContainText('step 3', { timeout: 60_000 });
  await expect(plan.box(/paused.*Say who reads it/)).toBeVisible();
  await expect(plan.box(/added by a person: Call the bank/)).toBeVisible();
  expect(notes).toEqual([]);

  // The work goes on, and the note comes once.
  await plan.recovery.getByRole('button', { name: 'Go on' }).click();
  await expect(chat.text('All of it is done.')).toBeVisible({ timeout: 60_000 });
  await expect(plan.progress(`${3 + PROTOCOL_STEPS} / ${3 + PROTOCOL_STEPS} done`)).toBeVisible();
  await expect(plan.recovery).toHaveCount(0);
  await chat.messages
    .getByRole('button', { name: /^\d+ steps$/ })
    .last()
    .click();
  await expect(chat.messages.getByText('Finished the protocol')).toHaveCount(1);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain("step 3 is still 'in_progress'");
  await chat.send('Is the yearly report done?');
  await expect(chat.text('All of it is done.')).toHaveCount(2);
  expect(notes).toHaveLength(1);
  // The person's tick stood: the agent never did that step.
  await expect(plan.row('Sum them up').getByText('Checked:')).toHaveCount(0);
  await expect(plan.row('Read the notes').getByText('Checked: read it again')).toBeVisible();

  expect(await seenInOther()).toEqual([]);
  expect(await otherPlan.texts()).toEqual(['A step of the other chat']);
});
