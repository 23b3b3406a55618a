/** From the bytes of a web answer to text that a model can read. Pure. */
import { convert } from 'html-to-text';
import { detectText, SAMPLE_BYTES } from '../../../files/workspace/text-encoding';

export type ReadableText =
  | { ok: true; kind: 'html' | 'json' | 'text'; title: string | null; text: string }
  | { ok: false; reason: string };

/**
 * Beyond this many characters of HTML the rest is dropped: conversion is synchronous (about 100 ms per million here) and
 * the server serves others meanwhile.
 */
const MAX_HTML_CHARS = 1_500_000;

/** HTML becomes text with links and lists, JSON and other text stays as it is, anything else is refused in words. */
export function toReadableText(body: Buffer, contentType: string, url: string): ReadableText {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const isNamedText =
    type === '' ||
    type.startsWith('text/') ||
    /[/+](json|xml|yaml|x-yaml|javascript|ecmascript|x-javascript|toml|sql|x-sh|x-ndjson|ld\+json|xhtml\+xml)$/.test(
      type,
    );
  if (!isNamedText) return { ok: false, reason: `it is ${type} (${body.length} bytes), not text` };

  const sample = body.subarray(0, SAMPLE_BYTES);
  const detected = detectText(sample, sample.length === body.length);
  if (!detected.isText) return { ok: false, reason: `it is binary data (${body.length} bytes), not text` };

  const isHtml =
    /html/.test(type) || (type === '' && /^\s*<(!doctype html|html|head|body)/i.test(sample.toString('latin1')));
  const text = decode(body, [charsetOf(contentType), isHtml ? metaCharset(sample) : null, detected.encoding]);
  if (isHtml) return { ok: true, kind: 'html', title: titleOf(text), text: htmlToText(text, url) };
  return { ok: true, kind: type.endsWith('json') ? 'json' : 'text', title: null, text };
}

/** Text of an HTML page: headings, lists, tables as lines, links with their absolute addresses; no scripts, no images. */
export function htmlToText(html: string, url: string): string {
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

function charsetOf(contentType: string): string | null {
  return /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
}

function metaCharset(sample: Buffer): string | null {
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(sample.subarray(0, 4096).toString('latin1'))?.[1] ?? null;
}

/** Decodes by the first label that the platform knows. A named encoding wins over a guessed one. */
function decode(body: Buffer, labels: (string | null)[]): string {
  for (const label of labels) {
    if (label === null) continue;
    try {
      return new TextDecoder(label).decode(body);
    } catch {
      // An unknown label: the next one.
    }
  }
  return body.toString('utf8');
}
