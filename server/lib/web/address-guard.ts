/** Which network addresses a tool may connect to. Pure. Everything that is not plainly the public internet is refused. */
import ipaddr from 'ipaddr.js';

/** Public-looking addresses at which clouds serve the secrets of a machine to that machine. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Global unicast, the only part of IPv6 that is assigned to the public internet (RFC 4291, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The well-known prefix of NAT64 (RFC 6052): the IPv4 address stands in the last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True for public unicast addresses. Loopback, private, link-local (cloud metadata), carrier-grade NAT, multicast,
 * reserved, tunnels and anything unreadable are not; an IPv4 address inside an IPv6 one is judged as that IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const withoutZone = address.replace(/%.*$/, '');
  if (!ipaddr.IPv4.isValidFourPartDecimal(withoutZone) && !ipaddr.IPv6.isValid(withoutZone)) return false;
  const parsed = ipaddr.process(withoutZone);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.match(NAT64)) return isPublicAddress(ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString());
    return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
  }
  return parsed.range() === 'unicast' && !METADATA_ADDRESSES.has(parsed.toString());
}

/** Ports of the web. Others are services that were never meant to be spoken to in HTTP. */
export const webPorts: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

/** The URL of one hop, or why it is not fetched, in words for the model. */
export function checkWebUrl(
  text: string,
  base: string | undefined,
  rules: { isAddressAllowed: (address: string) => boolean; isPortAllowed: (port: number) => boolean },
): { ok: true; url: URL } | { ok: false; reason: string } {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return { ok: false, reason: `${JSON.stringify(text.slice(0, 200))} is not a URL` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { ok: false, reason: `only http and https are fetched, not ${url.protocol}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, reason: 'URLs that carry a user name or a password are not fetched' };
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (!rules.isPortAllowed(port)) return { ok: false, reason: `port ${port} is not a port of the web` };
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  // The URL parser has already brought every spelling of an IPv4 address (hexadecimal, octal, short) to four decimals.
  const isLiteral = ipaddr.IPv4.isValidFourPartDecimal(literal) || ipaddr.IPv6.isValid(literal);
  if (isLiteral && !rules.isAddressAllowed(literal)) {
    return { ok: false, reason: `${url.hostname} is a private or local address` };
  }
  return { ok: true, url };
}
