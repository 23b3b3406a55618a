import { describe, expect, it } from 'vitest';
import type { SessionListItem } from '../../../server/domains/sessions/schema';
import { groupSessions, nameOf, sortSessions } from './group-sessions';

const now = new Date(2026, 10, 29, 12);
const item = (id: string, lastActive: Date, changes: Partial<SessionListItem> = {}): SessionListItem => ({
  id,
  name: id,
  profileId: 'default',
  pinned: false,
  createdAt: lastActive.toISOString(),
  lastActive: lastActive.toISOString(),
  displayMessageCount: 1,
  preview: '',
  opening: '',
  runState: 'idle',
  ...changes,
});

describe('groupSessions', () => {
  it('stands by date in local time, pinned first, with one heading each', () => {
    const rows = groupSessions(
      [
        item('last year', new Date(2025, 2, 3)),
        item('month', new Date(2026, 9, 3)),
        item('week', new Date(2026, 10, 24)),
        item('yesterday', new Date(2026, 10, 28, 23, 59)),
        item('today', new Date(2026, 10, 29, 0, 1)),
        item('clock ahead', new Date(2026, 10, 29, 13)),
        item('pinned', new Date(2024, 0, 1), { pinned: true }),
      ],
      now,
    );
    expect(rows.map((row) => (row.kind === 'heading' ? `# ${row.label}` : row.session.id))).toEqual([
      '# Pinned',
      'pinned',
      '# Today',
      'clock ahead',
      'today',
      '# Yesterday',
      'yesterday',
      '# Previous 7 days',
      'week',
      '# October',
      'month',
      '# March 2025',
      'last year',
    ]);
  });

  it('shows a chat once although an event and a page both brought it, as the newer of the two', () => {
    const newer = item('a', now, { name: 'new' });
    expect(sortSessions([newer, item('a', new Date(2026, 0, 1), { name: 'old' })])).toEqual([newer]);
  });

  it('calls a chat without a name by what was said in it', () => {
    expect(nameOf({ name: null, opening: '', preview: 'How are you?' })).toBe('How are you?');
    expect(nameOf({ name: null, opening: '', preview: '' })).toBe('New chat');
    expect(nameOf({ name: null, opening: 'How are you?', preview: 'Fine.' })).toBe('How are you?');
  });
});
