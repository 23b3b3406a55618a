import type { Locator, Page } from '@playwright/test';

/** The pane of one chat: transcript, waiting messages, composer. Locators and actions only. */
export class ChatPage {
  readonly field: Locator;
  readonly stopButton: Locator;
  readonly messages: Locator;
  readonly status: Locator;
  readonly queue: Locator;
  readonly heading: Locator;

  constructor(readonly page: Page) {
    this.field = page.getByRole('textbox', { name: 'Message', exact: true });
    this.stopButton = page.getByRole('button', { name: 'Stop', exact: true });
    this.messages = page.getByRole('log', { name: 'Messages' });
    this.status = page.getByRole('status', { name: 'Answer' });
    // A waiting message may hold a list of its own: its files.
    this.queue = page.getByRole('list', { name: 'Waiting messages' }).locator('> li');
    this.heading = page.getByRole('heading', { level: 1 });
  }

  async openNew(): Promise<void> {
    await this.page.goto('/');
    await this.field.waitFor();
  }

  async open(sessionId: string): Promise<void> {
    await this.page.goto(`/s/${sessionId}`);
  }

  async send(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
  }

  /** A new chat with its first message; answers once the chat has its address. */
  async start(text: string): Promise<string> {
    await this.openNew();
    await this.send(text);
    await this.page.waitForURL(/\/s\//);
    return this.page.url().replace(/^.*\/s\//, '');
  }

  text(words: string | RegExp): Locator {
    return this.messages.getByText(words);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** The answer of a turn is there with its foot. */
  readonly copyAnswer = () => this.page.getByRole('button', { name: 'Copy answer' });

  async pickModel(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Model/ }).click();
    await this.page.getByRole('menuitemradio', { name }).click();
  }
}
