/**
 * How a stored file leaves the server: as bytes that no browser takes for a page of ours. Whatever it holds, it runs no
 * script, loads nothing, is guessed at by nobody and is embedded by no other site.
 */
import type { FileKind } from '../schema';

/** Shown in place when somebody opens the address; everything else is saved. HTML, SVG and PDF are drawn by our viewers. */
const inlineKinds: readonly FileKind[] = ['image', 'video', 'audio', 'csv', 'markdown', 'text', 'source'];
/** Text is sent as text, whatever it is called: its own type could give it powers. */
const textKinds: readonly FileKind[] = ['csv', 'markdown', 'text', 'source'];

export function downloadHeaders(
  file: { name: string; kind: FileKind; mimeType: string },
  { isDownload }: { isDownload: boolean },
): Record<string, string> {
  const isInline = inlineKinds.includes(file.kind) && !isDownload;
  return {
    'content-type': textKinds.includes(file.kind) ? 'text/plain; charset=utf-8' : contentType(file),
    'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', file.name),
    'x-content-type-options': 'nosniff',
    // Inline styles are what an SVG shown as an image may need; the sandbox makes the rest an opaque origin without scripts.
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

function contentType({ kind, mimeType }: { kind: FileKind; mimeType: string }): string {
  if (kind === 'html') return `${mimeType}; charset=utf-8`;
  // What no viewer opens has no type that a browser could act on.
  return kind === 'other' ? 'application/octet-stream' : mimeType;
}

/**
 * `Content-Disposition` with the exact name for everybody who reads RFC 5987, and an ASCII stand-in for others. A header
 * that carried the name itself broke on every second script.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["%\\;]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
