import type { Locator, Page } from '@playwright/test';

/** The list of chats. */
export class Sidebar {
  readonly list: Locator;
  readonly newChat: Locator;
  /** The row of the chat that is open. */
  readonly openRow: Locator;

  constructor(readonly page: Page) {
    this.list = page.getByRole('navigation', { name: 'Chats' });
    this.openRow = this.list.locator('[aria-current="page"]');
    this.newChat = page.getByRole('link', { name: 'New chat' });
  }

  row(name: string | RegExp): Locator {
    return this.list.getByRole('link', { name });
  }

  async choose(name: string, action: string): Promise<void> {
    await this.row(name).first().hover();
    await this.list
      .getByRole('button', { name: `Actions for ${name}` })
      .first()
      .click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Names and headings as they stand from top to bottom. */
  headings(): Locator {
    return this.list.getByRole('heading');
  }
}
