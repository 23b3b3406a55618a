/** Converts HTML in a thread of its own, so that no page can hold up the server. */
import { runInThread } from '../../../../lib/threads';
import { ToolError } from '../types';
import type { HtmlPage } from './html-page';

/** Ordinary pages take well below half a second; a megabyte of plain paragraphs about 0.3 s. */
const CONVERSION_TIMEOUT_MS = 8000;

/** Rejects with a ToolError when the page is too intricate, with the signal's reason when aborted. */
export function convertHtml(
  html: string,
  url: string,
  signal: AbortSignal,
  timeoutMs = CONVERSION_TIMEOUT_MS,
): Promise<HtmlPage> {
  return runInThread<HtmlPage>({
    source: new URL('./html-worker.ts', import.meta.url),
    bundled: 'html-worker',
    data: { html, url },
    timeoutMs,
    memoryMb: 256,
    signal,
    onLimit: () => new ToolError(`${url} is too intricate to be turned into text.`),
  });
}
