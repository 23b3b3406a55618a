/** Which addresses written by a model may be opened or loaded. */

/** Data images are small enough to have been made on purpose and of kinds that cannot hold scripts, in characters. */
const MAX_DATA_IMAGE_LENGTH = 200_000;
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/;

/** The address a link may open: http, https and mailto only. null: show the text without a link. */
export function findSafeHref(href: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href.trim())) return null;
  try {
    const url = new URL(href.trim());
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

export type ImageSource =
  | { kind: 'data'; source: string }
  | { kind: 'remote'; source: string; host: string }
  | { kind: 'none' };

/** Where an image comes from: in the text itself, from another server (only after a click), or from nowhere allowed. */
export function readImageSource(href: string): ImageSource {
  const address = href.trim();
  if (/^data:/i.test(address)) {
    const isAllowed = address.length <= MAX_DATA_IMAGE_LENGTH && DATA_IMAGE.test(address);
    return isAllowed ? { kind: 'data', source: address } : { kind: 'none' };
  }
  if (!/^(?:https?:)?\/\//i.test(address)) return { kind: 'none' };
  try {
    const url = new URL(address, 'https://placeholder.invalid');
    return { kind: 'remote', source: url.href, host: url.host };
  } catch {
    return { kind: 'none' };
  }
}
