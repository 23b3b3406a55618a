import type { Browser, BrowserContext, Locator, Page, Request } from '@playwright/test';

/** The owner's dialog for one chat. */
export class ShareDialog {
  readonly dialog: Locator;
  readonly findings: Locator;
  readonly link: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: /^(Share this chat|This chat is shared)$/ });
    this.findings = this.dialog.getByRole('region', { name: 'Likely secrets' });
    this.link = this.dialog.getByRole('textbox', { name: 'Link' });
  }

  /** By the menu of the chat that is open. */
  async open(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).getByRole('button').click();
    await this.page.getByRole('menuitem', { name: 'Share' }).click();
    await this.dialog.waitFor();
  }

  /** Makes the link, with a word for what was found, and answers it. */
  async issue(): Promise<string> {
    const word = this.dialog.getByRole('checkbox');
    await this.findings.or(this.dialog.getByText(/No passwords or keys/)).waitFor();
    if (await word.isVisible()) await word.check();
    await this.dialog.getByRole('button', { name: 'Create link' }).click();
    return this.link.inputValue();
  }

  async close(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Close' }).click();
  }
}

/** The page that somebody else opens by a link, in a browser of their own, with every request that it makes. */
export class SharePage {
  readonly requests: Request[] = [];
  readonly title: Locator;
  readonly conversation: Locator;

  constructor(readonly page: Page) {
    page.on('request', (request) => this.requests.push(request));
    this.title = page.getByRole('heading', { level: 1 });
    this.conversation = page.getByRole('main');
  }

  static async open(context: BrowserContext, url: string): Promise<SharePage> {
    const share = new SharePage(await context.newPage());
    await share.page.goto(url);
    // Drawn by the server at first, which leaves moments blank: from here the page's own scripts have it in hand.
    await share.page.locator('time').filter({ hasText: /\d/ }).first().waitFor({ state: 'attached' });
    await share.title.waitFor();
    return share;
  }
}

/** A browser of somebody else: no cookies, no storage, and a list of what its console said. */
export async function strangersBrowser(browser: Browser): Promise<{ context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const errors: string[] = [];
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  context.on('weberror', (error) => errors.push(String(error.error())));
  return { context, errors };
}

/** The link as it looks while its scripts are still on their way: as the server drew it. */
export async function openWithoutScripts(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(/\/assets\/.*\.js$/, () => {});
  await page.goto(url, { waitUntil: 'commit' });
  return page;
}
