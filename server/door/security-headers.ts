/** Headers that every answer carries. Pure. A route may narrow the content policy for its own answer (downloads do). */
import { createHash } from 'node:crypto';
import type { ParsedHost } from '../lib/host';
import { artifactFramePath } from './artifact-frame';

/**
 * The content policy of the client.
 * - `script-src` takes the hashes of what stands in our own document (the few lines that choose the page), and nothing else
 *   that is inline.
 * - `style-src 'unsafe-inline'` is unavoidable: toasts, scroll locking of dialogs and drawn diagrams add `<style>`
 *   elements at run time. What such a style could do is small while images and fonts only come from here.
 * - `img-src` stays closed to the web. A remote image that a person clicks is fetched by the server
 *   (`POST /api/remote-images`) and shown from a `blob:`; so neither markup nor a style can carry data away.
 * - `connect-src` names the sockets because older Safari does not read them into 'self'.
 * - `media-src` takes blobs for shared files: their bytes come with a POST. `worker-src`: the viewers of PDF and CSV.
 * - `frame-src` is the wall around HTML artifacts: a frame may show that one document of ours and nothing else, so an
 *   artifact cannot carry anything away by going somewhere itself. Frames that are given their text (`srcdoc`) have no
 *   address and are not asked.
 */
export function contentSecurityPolicy(host: ParsedHost, scriptHashes: readonly string[] = []): string {
  const name = host.name.includes(':') ? `[${host.name}]` : host.name;
  const authority = host.port === null ? name : `${name}:${host.port}`;
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ws://${authority} wss://${authority}`,
    "media-src 'self' blob:",
    "worker-src 'self'",
    `frame-src ${authority}${artifactFramePath}`,
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** The hashes by which a content policy names the inline scripts of a document: `sha256-…`. */
export function inlineScriptHashes(html: string): string[] {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
}

export function securityHeaders(host: ParsedHost, scriptHashes?: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(host, scriptHashes),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // Nothing here is for search engines: neither somebody's own Navi nor the links that were handed on.
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), clipboard-write=(self)',
  };
}
