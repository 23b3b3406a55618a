/** From the bytes of a web answer to text that a model can read. Converting HTML is given in, for it needs a worker. */

import { detectText, SAMPLE_BYTES } from '../../../files/workspace/text-encoding';
import type { HtmlPage } from './html-page';

export type ReadableText =
  | { ok: true; kind: 'html' | 'json' | 'text'; title: string | null; text: string }
  | { ok: false; reason: string };

/** HTML becomes text with links and lists, JSON and other text stays as it is, anything else is refused in words. */
export async function toReadableText(
  body: Buffer,
  contentType: string,
  convertHtml: (html: string) => Promise<HtmlPage>,
): Promise<ReadableText> {
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
  if (isHtml) return { ok: true, kind: 'html', ...(await convertHtml(text)) };
  return { ok: true, kind: type.endsWith('json') ? 'json' : 'text', title: null, text };
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
