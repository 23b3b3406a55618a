/** What must hold for every history, through the real store. */
import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine, type TestDatabase } from '../../testing/database';
import { contextAt } from '../messages/engine/context-at';
import type { Message } from '../messages/schema';
import { contexts, partedCalls } from './engine/testing/histories';
import { storeHistory } from './testing/store-history';
import { answer, SUMMARY, talk } from './testing/talk';

const RUNS = 6;

async function rowsOf(database: TestDatabase, sessionId: string) {
  const { rows } = await database.pool.query<{ sequence: number; content: string; in_context: boolean; flags: string }>(
    `SELECT sequence_number AS sequence, content, is_context AS in_context,
       concat(is_display, is_plan, is_compression, is_summary, tool_calls::text, tool_call_id, metadata::text) AS flags
     FROM (SELECT session_id, sequence_number, content, is_context, is_display, is_plan, is_compression, is_summary, tool_calls,
                  tool_call_id, metadata FROM session_messages
           UNION ALL
           SELECT session_id, sequence_number, content, is_context, is_display, is_plan, is_compression, is_summary, tool_calls,
                  tool_call_id, metadata FROM session_messages_archive) m
     WHERE session_id = $1 ORDER BY sequence_number`,
    [sessionId],
  );
  return rows;
}

describeEachEngine('compression of any history', (getDatabase) => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    expect(app?.unexpected).toEqual([]);
  });

  it('changes no message, parts no call, loses nothing, forks alike and is undone exactly', {
    timeout: 240_000,
  }, async () => {
    const database = getDatabase();
    const opened = await createTestApp(database, {
      env: { NAVI_CONTEXT_KEEP_RECENT: '2', NAVI_SESSION_MESSAGES_WINDOW: '10' },
    });
    app = opened;
    const model = talk(opened.model, () => 'Yes.');
    await fc.assert(
      fc.asyncProperty(contexts, fc.boolean(), async (messages, isUseless) => {
        const sessionId = await opened.newSession();
        await storeHistory(database, sessionId, messages);
        const before = await rowsOf(database, sessionId);
        model.summaries.splice(
          0,
          model.summaries.length,
          ...(isUseless ? [answer(''), answer('')] : [answer(SUMMARY)]),
        );
        const result = await opened.api.compression.run({ sessionId });
        await opened.untilIdle(sessionId);
        const after = await rowsOf(database, sessionId);
        // Every message once, word for word, wherever it lies.
        expect(after.slice(0, before.length).map(({ in_context: _, ...row }) => row)).toEqual(
          before.map(({ in_context: _, ...row }) => row),
        );
        const context = (await opened.api.debug.context({ sessionId })).messages.map((one) => one.sequenceNumber);
        if (result.kind === 'refused' || result.compression.status === 'failed') {
          expect(context).toHaveLength(messages.length);
          return;
        }
        const { compressionId, compression } = result;
        const covered: Message[] = [];
        for (let afterSeq: number | null = 0; afterSeq !== null; ) {
          const page = await opened.api.compression.covered({ sessionId, compressionId, afterSeq, limit: 200 });
          covered.push(...page.messages);
          afterSeq = page.nextAfterSeq;
        }
        expect(compression.tokensAfter).toBeLessThan(compression.tokensBefore);
        const kept = messages.filter((message) => context.includes(message.sequenceNumber));
        expect([...kept, ...covered].map((message) => message.sequenceNumber).sort((a, b) => a - b)).toEqual(
          messages.map((message) => message.sequenceNumber),
        );
        expect(partedCalls(messages, kept)).toEqual([]);

        // What left is in the raw index, but for what is no history.
        const { rows: chunks } = await database.pool.query<{ content: string }>(
          'SELECT content FROM memory_chunks WHERE session_id = $1 ORDER BY first_sequence, id',
          [sessionId],
        );
        const indexed = chunks
          .map((chunk) => chunk.content)
          .join('\n')
          .replaceAll('\n', '');
        for (const message of covered) {
          if (message.isSummary || message.metadata.source === 'memory_recall') continue;
          expect(indexed).toContain(message.content.replaceAll('\n', ''));
        }

        const fork = await opened.api.sessions.fork({ sessionId });
        expect((await opened.api.debug.context({ sessionId: fork.id })).messages).toEqual(
          (await opened.api.debug.context({ sessionId })).messages,
        );
        const early = await opened.api.sessions.fork({ sessionId, sequenceNumber: messages.length });
        const record = {
          summarySequence: compression.summarySequence ?? 0,
          coveredSequences: new Set(covered.map((message) => message.sequenceNumber)),
          isUndone: false,
        };
        const stored = [...covered, ...kept].map((message) => ({ ...message, isContext: kept.includes(message) }));
        expect(
          (await opened.api.debug.context({ sessionId: early.id })).messages.map((one) => one.sequenceNumber),
        ).toEqual(contextAt(stored, messages.length, [record]).map((message) => message.sequenceNumber));

        const undone = await opened.api.compression.undo({ sessionId, compressionId }).catch((error: unknown) => error);
        if (undone instanceof Error) {
          // Too large for the window now: then nothing may have changed.
          expect(undone.message).toContain('does not fit');
          expect(await rowsOf(database, sessionId)).toEqual(after);
          return;
        }
        const restored = await rowsOf(database, sessionId);
        expect(restored.slice(0, before.length)).toEqual(before);
        expect(restored.slice(before.length).some((row) => row.in_context)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });
});
