/** The order and the headings of the sidebar. Pure: the time comes in. */
import type { SessionListItem } from '../../../server/domains/sessions/schema';

export type SidebarRow =
  | { kind: 'heading'; key: string; label: string }
  | { kind: 'session'; key: string; session: SessionListItem };

/** What a session is called, here and in its heading; without a name by its first words, which stay while the rest comes in. */
export const nameOf = ({ name, opening, preview }: Pick<SessionListItem, 'name' | 'opening' | 'preview'>): string =>
  name ?? [opening, preview].find((words) => words !== '') ?? 'New chat';

/** Pinned first, then by last activity. The first of two with the same id is the newer one. */
export function sortSessions(items: readonly SessionListItem[]): SessionListItem[] {
  const unique = new Map<string, SessionListItem>();
  for (const item of items) if (!unique.has(item.id)) unique.set(item.id, item);
  return [...unique.values()].sort(
    (a, b) =>
      Number(b.pinned) - Number(a.pinned) ||
      Date.parse(b.lastActive) - Date.parse(a.lastActive) ||
      (a.id < b.id ? 1 : -1),
  );
}

/** Rows with headings: Pinned, Today, Yesterday, Previous 7 days, then months. Local time. */
export function groupSessions(items: readonly SessionListItem[], now: Date): SidebarRow[] {
  const rows: SidebarRow[] = [];
  let label = '';
  for (const session of sortSessions(items)) {
    const next = session.pinned ? 'Pinned' : dateLabel(new Date(session.lastActive), now);
    if (next !== label) {
      label = next;
      rows.push({ kind: 'heading', key: `heading-${label}`, label });
    }
    rows.push({ kind: 'session', key: session.id, session });
  }
  return rows;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function dateLabel(at: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  // A clock that runs ahead is still today.
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days <= 7) return 'Previous 7 days';
  const month = MONTHS[at.getMonth()] ?? '';
  return at.getFullYear() === now.getFullYear() ? month : `${month} ${at.getFullYear()}`;
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
