/**
 * HTML to text. Pure, but synchronous and, for pages made to hurt (a hundred thousand nested elements, endless tables),
 * quadratic: minutes for a megabyte. So it runs in a worker (`html-worker.ts`) that can be ended, never on the server's thread.
 */
import { convert } from 'html-to-text';

export interface HtmlPage {
  title: string | null;
  text: string;
}

/** Beyond this many characters of HTML the rest is dropped. */
const MAX_HTML_CHARS = 1_500_000;

export function readHtmlPage(html: string, url: string): HtmlPage {
  return { title: titleOf(html), text: htmlToText(html, url) };
}

/** Text of an HTML page: headings, lists, tables as lines, links with their absolute addresses; no scripts, no images. */
function htmlToText(html: string, url: string): string {
  const skipped = ['script', 'style', 'noscript', 'template', 'svg', 'img', 'iframe', 'head'];
  return convert(html.slice(0, MAX_HTML_CHARS), {
    wordwrap: false,
    baseElements: { selectors: ['body'] },
    limits: { maxInputLength: MAX_HTML_CHARS, maxDepth: 200, maxChildNodes: 20_000, ellipsis: '…' },
    selectors: [
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
      {
        selector: 'a',
        options: {
          pathRewrite: (path: string) => absolute(path, url),
          hideLinkHrefIfSameAsText: true,
          ignoreHref: false,
          noAnchorUrl: true,
          linkBrackets: ['(', ')'] as [string, string],
        },
      },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  })
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function absolute(path: string, base: string): string {
  try {
    const url = new URL(path, base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : '';
  } catch {
    return '';
  }
}

function titleOf(html: string): string | null {
  const raw = /<title[^>]*>([^<]{1,500})/i.exec(html.slice(0, 200_000))?.[1];
  const title = raw === undefined ? '' : convert(raw, { wordwrap: false }).replace(/\s+/g, ' ').trim();
  return title === '' ? null : title;
}
