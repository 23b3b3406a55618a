/** Fills a database with the amounts that the table names, in SQL: what is measured is reading and appending. */
import pg from 'pg';

const OWNER = 'anonymous';

async function run(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const ensureOwner = `INSERT INTO navi_users (id) VALUES ('${OWNER}') ON CONFLICT DO NOTHING`;
const message = (table: string, sessionId: string, from: number, to: number, isArchive: boolean) => `
  INSERT INTO ${table} (${isArchive ? 'id, ' : ''}session_id, sequence_number, role, content, metadata, created_at)
  SELECT ${isArchive ? `nextval(pg_get_serial_sequence('session_messages', 'id')), ` : ''}'${sessionId}', n,
         (CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END)::message_role,
         '**Message ' || n || '** ' || repeat(md5(n::text) || ' ', 12), '{"runId": "seed", "step": 1}',
         now() - (1000000 - n) * interval '1 second'
  FROM generate_series(${from}, ${to}) n`;

/** A session with `count` messages of about 400 characters, the older half of them archived when there are many. */
export async function seedSession(url: string, sessionId: string, count: number): Promise<void> {
  const archived = count > 4_000 ? Math.floor(count / 2) : 0;
  await run(url, [
    ensureOwner,
    `INSERT INTO sessions (id, profile_id, user_id, name, next_sequence, display_message_count, preview)
     VALUES ('${sessionId}', 'default', '${OWNER}', 'Seeded', ${count + 1}, ${count}, 'Seeded')`,
    `INSERT INTO session_event_heads (session_id) VALUES ('${sessionId}')`,
    ...(archived > 0 ? [message('session_messages_archive', sessionId, 1, archived, true)] : []),
    message('session_messages', sessionId, archived + 1, count, false),
    'ANALYZE',
  ]);
}

/** `count` listed sessions with a few messages each; some pinned, some of other owners between them. */
export async function seedSessionList(url: string, count: number): Promise<void> {
  await run(url, [
    ensureOwner,
    `INSERT INTO sessions (id, profile_id, user_id, name, pinned, next_sequence, display_message_count, preview, last_active)
     SELECT 'list-' || n, 'default', '${OWNER}', 'Session ' || n, n % 500 = 0, 3, 2, repeat(md5(n::text) || ' ', 4),
            now() - n * interval '1 minute'
     FROM generate_series(1, ${count}) n`,
    `INSERT INTO session_event_heads (session_id) SELECT 'list-' || n FROM generate_series(1, ${count}) n`,
    `INSERT INTO session_messages (session_id, sequence_number, role, content)
     SELECT 'list-' || n, s, (CASE WHEN s = 1 THEN 'user' ELSE 'assistant' END)::message_role, repeat(md5(n::text) || ' ', 12)
     FROM generate_series(1, ${count}) n, generate_series(1, 2) s`,
    'ANALYZE',
  ]);
}
