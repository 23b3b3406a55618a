/** Histories that were never said, stored as if they had been: what a compression does with them is the same, and far quicker. */
import type { TestDatabase } from '../../../testing/database';
import type { Message } from '../../messages/schema';

/** Stores messages as they are into a fresh session, all of them in context; the next one follows them. */
export async function storeHistory(
  database: TestDatabase,
  sessionId: string,
  messages: readonly Message[],
): Promise<void> {
  for (const message of messages) {
    await database.pool.query(
      `INSERT INTO session_messages (session_id, sequence_number, role, content, is_display, is_context, is_summary, tool_calls,
         tool_call_id, name, images, metadata) VALUES ($1, $2, $3, $4, $5, true, $6, $7, $8, $9, $10, $11)`,
      [
        sessionId,
        message.sequenceNumber,
        message.role,
        message.content,
        message.isDisplay,
        message.isSummary,
        message.toolCalls === null ? null : JSON.stringify(message.toolCalls),
        message.toolCallId,
        message.name,
        message.images === null ? null : JSON.stringify(message.images),
        JSON.stringify(message.metadata),
      ],
    );
  }
  await database.pool.query('UPDATE sessions SET next_sequence = $2, display_message_count = $3 WHERE id = $1', [
    sessionId,
    messages.length + 1,
    messages.filter((message) => message.isDisplay).length,
  ]);
}
