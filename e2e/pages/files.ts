import type { Locator, Page } from '@playwright/test';
import type { FileEntry, UploadAnswer } from '../../server/domains/files/schema';
import type { SampleFile } from '../fixtures/sample-files';

/** Files of a chat: attached in the composer, in messages, in the panel, and over the whole window. */
export class FilesPage {
  /** What is attached to the next message. */
  readonly attached: Locator;
  /** The rows of the panel. */
  readonly rows: Locator;
  /** A file over the whole window. */
  readonly stage: Locator;
  readonly images: Locator;

  constructor(readonly page: Page) {
    this.attached = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    this.rows = page.getByRole('list', { name: 'Files of this chat' }).getByRole('listitem');
    this.stage = page.getByRole('dialog');
    this.images = page.getByRole('log').getByRole('list', { name: 'Images' }).getByRole('button');
  }

  async attach(...files: SampleFile[]): Promise<void> {
    await this.page.getByLabel('Files to attach').setInputFiles(files);
  }

  /** As from the clipboard of a screenshot tool: pictures and nothing else. */
  async paste(...files: SampleFile[]): Promise<void> {
    await this.pasteWith({}, ...files);
  }

  /** With texts beside the files, by type. Answers whether the page took the paste, instead of leaving it to the browser. */
  async pasteWith(texts: Record<string, string>, ...files: SampleFile[]): Promise<boolean> {
    const data = await this.transfer(files, texts);
    // `dispatchEvent` of Playwright makes a plain event, which carries no clipboard.
    return this.page.getByRole('textbox', { name: 'Message', exact: true }).evaluate(
      (field, clipboardData) =>
        // False for an event whose default was prevented.
        !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
      data,
    );
  }

  /** Holds files over the page; `drop` lets them go. */
  async drag(...files: SampleFile[]): Promise<{ drop(): Promise<void> }> {
    const dataTransfer = await this.transfer(files);
    const pane = this.page.getByRole('main');
    await pane.dispatchEvent('dragenter', { dataTransfer });
    await pane.dispatchEvent('dragover', { dataTransfer });
    return { drop: () => pane.dispatchEvent('drop', { dataTransfer }) };
  }

  private transfer(files: readonly SampleFile[], texts: Record<string, string> = {}) {
    const plain = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] }));
    return this.page.evaluateHandle(
      ([list, words]) => {
        const transfer = new DataTransfer();
        for (const { name, mimeType, bytes } of list) {
          transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
        }
        for (const [type, text] of Object.entries(words)) transfer.setData(type, text);
        return transfer;
      },
      [plain, texts] as const,
    );
  }

  async openPanel(): Promise<void> {
    const toggle = this.page.getByRole('button', { name: 'Show the side panel' });
    if (await toggle.isVisible()) await toggle.click();
    await this.page.getByRole('tab', { name: 'Files' }).click();
  }

  /** Shows one kind of file in the panel; the labels carry counts behind their words. */
  async filter(name: 'All' | 'Artifacts' | 'Uploads' | 'Images'): Promise<void> {
    await this.page.getByRole('group', { name: 'Which files' }).locator('label', { hasText: name }).click();
  }

  /** Opens a file of the panel over the whole window. */
  async open(name: string): Promise<void> {
    await this.rows.getByRole('button', { name: `Open ${name}`, exact: true }).click();
    await this.stage.waitFor();
  }

  async act(name: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${name}` }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  card(name: string): Locator {
    return this.page.getByRole('log').getByRole('article', { name: `File ${name}` });
  }

  /** Stores a file through the API, as a finished upload does, and answers what it became. */
  async put(sessionId: string, file: SampleFile): Promise<FileEntry> {
    const { name, mimeType, buffer } = file;
    const response = await this.page.request.post(`/api/sessions/${sessionId}/files`, {
      multipart: { file: { name, mimeType, buffer } },
    });
    const { files } = response.ok() ? ((await response.json()) as UploadAnswer) : { files: [] };
    if (files[0] === undefined) throw new Error(`${name} was not stored: ${await response.text()}`);
    return files[0];
  }
}
