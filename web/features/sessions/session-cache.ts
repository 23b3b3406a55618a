/** The list of sessions in the query cache, and what events and actions do to it. */
import type { InfiniteData } from '@tanstack/react-query';
import type { SessionListItem } from '../../../server/domains/sessions/schema';

export interface SessionsPage {
  items: SessionListItem[];
  nextCursor: string | null;
}
export type SessionsData = InfiniteData<SessionsPage, string | null>;

/** Puts the current values of a session into the list; a new one stands first. */
export function withSession(data: SessionsData | undefined, session: SessionListItem): SessionsData | undefined {
  if (data === undefined) return data;
  const without = withoutSession(data, session.id) ?? data;
  const [first, ...rest] = without.pages;
  if (first === undefined) return data;
  return { ...without, pages: [{ ...first, items: [session, ...first.items] }, ...rest] };
}

export function withoutSession(data: SessionsData | undefined, sessionId: string): SessionsData | undefined {
  if (data === undefined) return data;
  const pages = data.pages.map((page) =>
    page.items.some((item) => item.id === sessionId)
      ? { ...page, items: page.items.filter((item) => item.id !== sessionId) }
      : page,
  );
  return { ...data, pages };
}

export function changedSession(
  data: SessionsData | undefined,
  sessionId: string,
  changes: Partial<SessionListItem>,
): SessionsData | undefined {
  if (data === undefined) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => (item.id === sessionId ? { ...item, ...changes } : item)),
  }));
  return { ...data, pages };
}
