import type { Locator, Page } from '@playwright/test';

/** The plan in the dock beside the chat, or in the sheet of narrow screens. Locators and actions only. */
export class PlanPanel {
  readonly dock: Locator;
  readonly sheet: Locator;
  readonly showButton: Locator;
  readonly bar: Locator;
  readonly steps: Locator;
  readonly boxes: Locator;
  readonly addField: Locator;
  readonly recovery: Locator;
  readonly history: Locator;
  readonly announcement: Locator;

  constructor(readonly page: Page) {
    this.dock = page.getByRole('region', { name: 'Beside the chat' });
    this.sheet = page.getByRole('dialog', { name: 'Beside the chat' });
    this.showButton = page.getByRole('button', { name: 'Show the side panel' });
    this.bar = page.getByRole('button', { name: /^Show the plan/ });
    this.steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    this.boxes = page.getByRole('list', { name: 'Steps' }).getByRole('checkbox');
    this.addField = page.getByRole('textbox', { name: 'Add a step' });
    this.recovery = page.getByRole('region', { name: 'Recovery' });
    this.history = page.getByRole('dialog', { name: 'History of the plan' });
    this.announcement = page.getByRole('status', { name: 'Plan', exact: true });
  }

  async show(): Promise<void> {
    await this.showButton.click();
    await this.addField.waitFor();
  }

  async add(...texts: string[]): Promise<void> {
    await this.addField.click();
    for (const text of texts) {
      await this.addField.fill(text);
      await this.addField.press('Enter');
    }
  }

  /** The box of a step by its text; its name says position, status, priority and source. */
  box(text: string | RegExp): Locator {
    return this.boxes.and(this.page.getByRole('checkbox', { name: text }));
  }

  row(text: string): Locator {
    return this.steps.filter({ hasText: text });
  }

  /** `4 / 9 done`. */
  progress(words: string | RegExp): Locator {
    return this.page.locator('#dock').getByText(words);
  }

  field(position: number): Locator {
    return this.page.getByRole('textbox', { name: `Text of step ${position}` });
  }

  async openMenu(position: number): Promise<void> {
    await this.steps.nth(position - 1).hover();
    await this.page.getByRole('button', { name: `Actions for step ${position}`, exact: true }).click();
  }

  async openHistory(): Promise<void> {
    await this.page.getByRole('button', { name: 'History of the plan' }).click();
  }

  /** Drags a step by its grip to where another one stands. */
  async drag(from: number, to: number): Promise<void> {
    const row = this.steps.nth(from - 1);
    await row.hover();
    const grip = await row.getByTitle('Drag to move').boundingBox();
    const target = await this.steps.nth(to - 1).boundingBox();
    if (grip === null || target === null) throw new Error('the steps are not on screen');
    await this.page.mouse.move(grip.x + grip.width / 2, grip.y + 12);
    await this.page.mouse.down();
    const edge = to > from ? target.height - 2 : 2;
    await this.page.mouse.move(target.x + 20, target.y + edge, { steps: 6 });
    await this.page.mouse.up();
  }

  undo(): Promise<void> {
    return this.page.getByRole('button', { name: 'Undo' }).first().click();
  }

  /** The texts of the steps as they stand, without numbers. */
  async texts(): Promise<string[]> {
    const names = await this.boxes.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label') ?? ''));
    return names.map((name) => name.slice(name.indexOf(': ') + 2));
  }
}
