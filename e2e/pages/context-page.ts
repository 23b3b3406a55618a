import { expect, type Locator, type Page } from '@playwright/test';

/** What a chat shows of its context: cards, ring, and the tabs “Context” and “Memory” of the dock. Locators and actions only. */
export class ContextPage {
  readonly cards: Locator;
  readonly liveCard: Locator;
  readonly ring: Locator;
  readonly details: Locator;
  readonly recalled: Locator;
  readonly memoryField: Locator;
  readonly found: Locator;
  readonly seen: Locator;
  readonly menu: Locator;
  readonly field: Locator;

  constructor(readonly page: Page) {
    this.cards = page.getByRole('article', { name: 'Compression', exact: true });
    this.liveCard = page.getByRole('article', { name: 'Compression under way' });
    this.ring = page.getByRole('button', { name: /^Context: \d+ %/ });
    this.details = page.getByRole('dialog', { name: 'What the model reads' });
    this.recalled = page.getByRole('article', { name: 'Recalled' });
    this.memoryField = page.getByRole('searchbox', { name: 'Search memory' });
    this.found = page.getByRole('list', { name: 'Found in memory' }).getByRole('listitem');
    this.seen = page.getByRole('list', { name: 'What the model sees' }).getByRole('listitem');
    this.menu = page.getByRole('listbox', { name: 'Commands' });
    this.field = page.getByRole('textbox', { name: 'Message', exact: true });
  }

  async compact(focus = ''): Promise<void> {
    await this.field.fill(`/compact ${focus}`);
    await this.field.press('Enter');
  }

  async open(card: Locator): Promise<void> {
    await card.getByRole('button', { name: 'Show details' }).click();
  }

  /** Opens the covered messages; what was loaded above may move the button away under the pointer. */
  async showCovered(card: Locator): Promise<void> {
    const button = card.getByRole('button', { name: /^(Show|Hide) \d+ covered messages$/ });
    await expect(async () => {
      if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
      await expect(button).toHaveAttribute('aria-expanded', 'true', { timeout: 1_000 });
    }).toPass();
  }

  covered(card: Locator): Locator {
    return card.getByRole('list', { name: 'Covered messages' }).getByRole('listitem');
  }

  /** How many rails of a kind stand in the transcript. */
  rails(kind: 'context' | 'summarised' | 'out'): Locator {
    return this.page.getByRole('log', { name: 'Messages' }).locator(`[data-rail="${kind}"]`);
  }

  /** Rows out of view are not on the page: to the first ones. */
  async scrollToTop(): Promise<void> {
    await this.page.getByRole('region', { name: 'Conversation' }).evaluate((scroller) => scroller.scrollTo(0, 0));
  }

  /** Until it stays there: rows on the way find their heights only when they are on the page. From here the page follows what comes. */
  async scrollToEnd(): Promise<void> {
    await this.page.getByRole('region', { name: 'Conversation' }).evaluate(async (scroller) => {
      for (let still = 0, height = 0; still < 5; ) {
        scroller.scrollTo(0, scroller.scrollHeight);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        still = scroller.scrollHeight === height ? still + 1 : 0;
        height = scroller.scrollHeight;
      }
    });
  }

  async openTab(name: 'Context' | 'Memory'): Promise<void> {
    const tab = this.page.getByRole('tab', { name });
    if (!(await tab.isVisible())) await this.page.getByRole('button', { name: 'Show the side panel' }).click();
    await tab.click();
  }
}
