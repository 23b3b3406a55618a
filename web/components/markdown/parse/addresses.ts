/** Bare addresses in text (GFM's extended autolinks), ended also by the full-width marks of CJK text. */

export interface FoundAddress {
  href: string;
  text: string;
  endOffset: number;
}

const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"`\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u201c\u201d]+/y;
const HOST = /^(?:https?:\/\/)?(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*|\[[0-9a-f:.]+\])(?=[:/?#]|$)/iu;

/** Reads `https://…` or `www.…` at `offset`. Trailing punctuation and unmatched closing brackets stay outside. */
export function readAddress(text: string, offset: number): FoundAddress | null {
  if (/[\p{L}\p{N}]/u.test(text.charAt(offset - 1)) && !/[\u2e80-\u9fff]/.test(text.charAt(offset - 1))) return null;
  ADDRESS.lastIndex = offset;
  const found = ADDRESS.exec(text)?.[0];
  if (!found) return null;
  const address = trimAddress(found);
  if (!HOST.test(address) || /^www\.[^.]*$/.test(address)) return null;
  const href = address.startsWith('www.') ? `https://${address}` : address;
  return { href, text: address, endOffset: offset + address.length };
}

function trimAddress(found: string): string {
  let end = found.length;
  let surplus = 0;
  for (const char of found) surplus += char === ')' ? 1 : char === '(' ? -1 : 0;
  for (; end > 0; end -= 1) {
    const char = found.charAt(end - 1);
    if (char === ')') {
      if (surplus <= 0) break;
      surplus -= 1;
    } else if (char === ';') {
      const entity = /&[a-zA-Z0-9]+;$/.exec(found.slice(Math.max(0, end - 40), end));
      end -= entity ? entity[0].length - 1 : 0;
    } else if (!/[?!.,:*_~'\]|]/.test(char)) break;
  }
  return found.slice(0, end);
}

const LOCAL_PART = /[A-Za-z0-9._+-]+$/;
const DOMAIN = /@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z0-9-]*[A-Za-z](?![A-Za-z0-9_-])/y;

/** Reads an e-mail address around the `@` at `offset`; `before` is the plain text that precedes it. */
export function readEmail(
  before: string,
  text: string,
  offset: number,
): (FoundAddress & { localLength: number }) | null {
  DOMAIN.lastIndex = offset;
  const domain = DOMAIN.exec(text)?.[0];
  if (!domain) return null;
  // Only now: `before` is put together as it is read, and cutting from it copies all of it.
  const local = LOCAL_PART.exec(before.slice(-64))?.[0];
  if (!local) return null;
  const address = local + domain;
  return { href: `mailto:${address}`, text: address, endOffset: offset + domain.length, localLength: local.length };
}
