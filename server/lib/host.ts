/** Names of hosts as they stand in Host and Origin: parsed strictly, brought to one spelling. Pure. */
import ipaddr from 'ipaddr.js';

export interface ParsedHost {
  /** Lower case, without a trailing dot; an IP address in its canonical spelling without brackets. */
  name: string;
  /** Null when none was written. */
  port: number | null;
  isLoopback: boolean;
}

const NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/;

/**
 * Reads `name`, `name:port`, `a.b.c.d:port` or `[v6]:port`. Null for anything else: user names, paths, spaces, decimal or
 * hexadecimal spellings of addresses. Browsers send addresses in their canonical spelling, so strictness costs nothing.
 */
export function parseHost(text: string): ParsedHost | null {
  const match = /^(\[[0-9a-fA-F:.]{2,45}\]|[^:[\]]{1,255})(?::(\d{1,5}))?$/.exec(text);
  if (match?.[1] === undefined) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && port > 65_535) return null;

  if (match[1].startsWith('[')) {
    const literal = match[1].slice(1, -1);
    if (!ipaddr.IPv6.isValid(literal)) return null;
    const address = ipaddr.process(literal);
    return { name: address.toString(), port, isLoopback: address.range() === 'loopback' };
  }
  const lower = match[1].toLowerCase();
  if (!NAME.test(lower)) return null;
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower;
  if (/^[0-9.]+$/.test(name) || /^0x/.test(name)) {
    if (!ipaddr.IPv4.isValidFourPartDecimal(name)) return null;
    const address = ipaddr.IPv4.parse(name);
    return { name: address.toString(), port, isLoopback: address.range() === 'loopback' };
  }
  return { name, port, isLoopback: name === 'localhost' };
}

/** Whether a bare name or address, without a port or brackets, is this machine's own. */
export const isLoopback = (host: string): boolean =>
  parseHost(host.includes(':') ? `[${host}]` : host)?.isLoopback ?? false;

/** A name as people configure it: an IPv6 address may stand without brackets. */
export const parseListedHost = (entry: string): ParsedHost | null => parseHost(bracketed(entry.trim()));

/** A list of names as people configure them; an entry without a port stands for every port. Unreadable ones match nothing. */
export function createHostList(entries: readonly string[]): (host: ParsedHost, defaultPort: number | null) => boolean {
  const parsed = entries.map(parseListedHost).filter((entry) => entry !== null);
  return (host, defaultPort) =>
    parsed.some(
      (entry) => entry.name === host.name && (entry.port === null || entry.port === (host.port ?? defaultPort)),
    );
}

function bracketed(entry: string): string {
  return ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry;
}
