/**
 * The door: may this request come in at all? Pure. It keeps websites away from a Navi that runs on the person's own
 * machine or network, where being reachable is otherwise all it takes. It knows nothing of logins.
 * The rules and their reasons: docs/decisions/0020-door.md.
 */
import { createHostList, type ParsedHost, parseHost } from '../lib/host';

export interface DoorRequest {
  method: string;
  /** Path and query as they stand in the request line. */
  url: string;
  host: string | undefined;
  origin: string | undefined;
  secFetchSite: string | undefined;
  secFetchMode: string | undefined;
  secFetchDest: string | undefined;
  isUpgrade: boolean;
}

export interface DoorSettings {
  /** Names beside loopback that requests may carry (`NAVI_ALLOWED_HOSTS`), each with or without a port. */
  allowedHosts: readonly string[];
  /** Paths of the client's pages, the only ones that a link on another website may open. */
  pagePath?: RegExp;
}

export type DoorDecision =
  | { isAllowed: true; host: ParsedHost }
  | { isAllowed: false; status: 403 | 421; reason: string };

/** `/` (a share's page as well) and one session. Data is never read from these, so opening them by a link is safe. */
export const defaultPagePath = /^\/(?:index\.html|s\/[A-Za-z0-9_-]{1,100})?$/;

/** Builds the check once, so that the list of hosts is parsed once. */
export function createDoorCheck(settings: DoorSettings): (request: DoorRequest) => DoorDecision {
  const isConfigured = createHostList(settings.allowedHosts);
  const pagePath = settings.pagePath ?? defaultPagePath;

  return (request) => {
    const host = request.host === undefined ? null : parseHost(request.host);
    if (host === null || !(host.isLoopback || isConfigured(host, null))) {
      return refuse(421, 'this host name is not one of ours; add it to NAVI_ALLOWED_HOSTS to serve it');
    }
    if (!request.url.startsWith('/')) return refuse(403, 'only paths are served, this is no proxy');
    if (request.method === 'OPTIONS') return refuse(403, 'requests from other origins are not allowed');
    if (request.origin !== undefined && !isOwnOrigin(request.origin, host, isConfigured)) {
      return refuse(403, 'requests from other origins are not allowed');
    }
    if (!isFetchSiteAllowed(request, pagePath)) return refuse(403, 'requests from other sites are not allowed');
    return { isAllowed: true, host };
  };
}

/** One decision; `createDoorCheck` is the same for many. */
export function checkRequest(request: DoorRequest, settings: DoorSettings): DoorDecision {
  return createDoorCheck(settings)(request);
}

/** Same host and port as the Host header, or a configured host (a proxy may rewrite Host). `null` and non-http are not ours. */
function isOwnOrigin(origin: string, host: ParsedHost, isConfigured: ReturnType<typeof createHostList>): boolean {
  const match = /^(https?):\/\/([^/?#]+)$/i.exec(origin);
  if (match?.[1] === undefined || match[2] === undefined) return false;
  const from = parseHost(match[2]);
  if (from === null) return false;
  const defaultPort = match[1].toLowerCase() === 'https' ? 443 : 80;
  const isSame = from.name === host.name && (from.port ?? defaultPort) === (host.port ?? defaultPort);
  return isSame || isConfigured(from, defaultPort);
}

function isFetchSiteAllowed(request: DoorRequest, pagePath: RegExp): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  switch (request.secFetchSite) {
    // Not a browser, or one that tells nothing to hosts it does not trust (plain http in a network): Origin decided.
    case undefined:
    case 'same-origin':
      return true;
    // The address bar, a bookmark: no page is behind it. It never posts and never opens a socket.
    case 'none':
      return isRead && !request.isUpgrade;
    // A link on another site may open a page of ours in a tab, and nothing else.
    case 'same-site':
    case 'cross-site':
      return (
        request.method === 'GET' &&
        !request.isUpgrade &&
        request.secFetchMode === 'navigate' &&
        request.secFetchDest === 'document' &&
        pagePath.test(request.url.replace(/[?#].*$/s, ''))
      );
    default:
      return false;
  }
}

function refuse(status: 403 | 421, reason: string): DoorDecision {
  return { isAllowed: false, status, reason };
}
