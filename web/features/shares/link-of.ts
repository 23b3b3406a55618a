/**
 * A share's address, where this page was reached. The server's own `url` is a guess behind a proxy that speaks TLS or gives
 * Navi another name: browsers do not say in a read where they are.
 */
export const linkOf = (token: string): string => `${location.origin}/#share=${token}`;
