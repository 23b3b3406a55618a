import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, createGate, say, sayAround } from '../../testing/scripted-model';
import { createTestTool } from '../../testing/test-tools';
import { transcript, useApps } from '../../testing/use-apps';

describeEachEngine('messages', (getDatabase) => {
  const open = useApps(getDatabase);

  async function talk(app: TestApp, sessionId: string, text: string, answer: string, id?: string) {
    app.model.replies.push(say(answer));
    const sent = await app.send(sessionId, text, id);
    await app.untilIdle(sessionId);
    return sent;
  }
  const listed = async (app: TestApp, sessionId: string) => {
    const { displayMessageCount, preview } = await app.api.sessions.get({ sessionId });
    return [displayMessageCount, preview];
  };
  /** Rows as they are, without a run behind them. */
  async function seed(sessionId: string, count: number, override: (sequence: number) => object = () => ({})) {
    await getDatabase().prisma.sessionMessage.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        sessionId,
        sequenceNumber: index + 1,
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `m${index + 1}`,
        ...override(index + 1),
      })),
    });
    await getDatabase().prisma.session.update({
      where: { id: sessionId },
      data: { nextSequence: count + 1, displayMessageCount: count },
    });
  }
  const archiveRows = (sessionId: string, sequences: number[]) =>
    getDatabase().pool.query(
      `WITH moved AS (DELETE FROM session_messages WHERE session_id = $1 AND sequence_number = ANY($2::int[]) RETURNING *)
       INSERT INTO session_messages_archive SELECT moved.*, now() FROM moved`,
      [sessionId, sequences],
    );

  it('keeps count and preview of the list right after every step of a chat', async () => {
    const gate = createGate();
    const app = await open({ tools: [createTestTool('look', async () => ({ text: 'a very long result' }))] });
    const sessionId = await app.newSession();
    expect(await listed(app, sessionId)).toEqual([0, '']);
    app.model.replies.push(sayAround('half', gate, ' whole'));
    await app.send(sessionId, 'First\n\nquestion');
    expect(await listed(app, sessionId)).toEqual([1, 'First question']);
    await gate.reached;
    await app.send(sessionId, 'waits', 'waits');
    expect(await listed(app, sessionId)).toEqual([1, 'First question']);
    await app.api.messages.cancelQueued({ sessionId, queuedId: 'waits' });
    gate.open();
    await app.untilIdle(sessionId);
    expect(await listed(app, sessionId)).toEqual([2, 'half whole']);
    app.model.replies.push(callTools({ name: 'look' }), say('Seen.'));
    await app.send(sessionId, 'Look');
    await app.untilIdle(sessionId);
    expect(await listed(app, sessionId)).toEqual([6, 'Seen.']);
    const anew = createGate();
    app.model.replies.push(sayAround('An', anew, 'ew.'));
    await app.api.messages.regenerate({ sessionId });
    expect(await listed(app, sessionId)).toEqual([3, 'Look']);
    anew.open();
    await app.untilIdle(sessionId);
    expect(await listed(app, sessionId)).toEqual([4, 'Anew.']);
    const [original] = (await app.api.messages.page({ sessionId })).messages[3]?.variants?.branchIds ?? [];
    await app.api.messages.selectVariant({ sessionId, branchId: original ?? -1 });
    expect(await listed(app, sessionId)).toEqual([6, 'Seen.']);
    // Up to the tool's result: what a list shows is what was said.
    const fork = await app.api.sessions.fork({ sessionId, sequenceNumber: 5 });
    expect([fork.displayMessageCount, fork.preview]).toEqual([5, 'Look']);
  });

  it('pages in every direction over any mix of hot, archived, hidden and superseded rows', async () => {
    const app = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 25 }),
        fc.array(fc.constantFrom('hot', 'archived', 'hidden', 'superseded', 'archived-superseded'), {
          minLength: 25,
          maxLength: 25,
        }),
        fc.integer({ min: 1, max: 9 }),
        async (count, kinds, limit) => {
          const sessionId = await app.newSession();
          const kindOf = (sequence: number) => kinds[sequence - 1] ?? 'hot';
          await seed(sessionId, count, (sequence) => ({
            isDisplay: kindOf(sequence) !== 'hidden',
            supersededBy: kindOf(sequence).includes('superseded') ? 1 : null,
          }));
          const all = Array.from({ length: count }, (_, index) => index + 1);
          await archiveRows(
            sessionId,
            all.filter((sequence) => kindOf(sequence).includes('archived')),
          );
          const shown = all.filter((sequence) => ['hot', 'archived'].includes(kindOf(sequence)));
          const page = async (where: { beforeSeq?: number; afterSeq?: number; aroundSeq?: number }) => {
            const { messages, ...next } = await app.api.messages.page({ sessionId, limit, ...where });
            const sequences = messages.map((message) => message.sequenceNumber);
            expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
            // A way on is told exactly when there is something to find.
            const [first, last] = [sequences[0], sequences.at(-1)];
            if (first !== undefined && last !== undefined) {
              expect(next.nextBeforeSeq).toBe(shown.some((sequence) => sequence < first) ? first : null);
              expect(next.nextAfterSeq).toBe(shown.some((sequence) => sequence > last) ? last : null);
            }
            return { sequences, ...next };
          };
          const up: number[] = [];
          for (let at = await page({}); ; at = await page({ beforeSeq: at.nextBeforeSeq ?? 0 })) {
            up.unshift(...at.sequences);
            if (at.nextBeforeSeq === null) break;
          }
          expect(up).toEqual(shown);
          const down: number[] = [];
          for (let at = await page({ afterSeq: 0 }); ; at = await page({ afterSeq: at.nextAfterSeq ?? 0 })) {
            down.push(...at.sequences);
            if (at.nextAfterSeq === null) break;
          }
          expect(down).toEqual(shown);
          for (const at of [0, 1, Math.ceil(count / 2), count, count + 5]) {
            const { sequences } = await page({ aroundSeq: at });
            const half = Math.floor(limit / 2);
            const expected = [
              ...(half === 0 ? [] : shown.filter((seq) => seq < at).slice(-half)),
              ...shown.filter((seq) => seq >= at).slice(0, limit - half),
            ];
            expect(sequences).toEqual(expected);
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  it('tells the way back from an empty page beyond either end', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await seed(sessionId, 3);
    const above = await app.api.messages.page({ sessionId, beforeSeq: 1 });
    expect(above).toEqual({ messages: [], nextBeforeSeq: null, nextAfterSeq: 0 });
    const below = await app.api.messages.page({ sessionId, afterSeq: 3 });
    expect(below).toEqual({ messages: [], nextBeforeSeq: 4, nextAfterSeq: null });
  });

  it('archives old rows that are in no context, never one that is, and nothing changes for readers', async () => {
    const app = await open({ env: { NAVI_SESSION_MESSAGES_WINDOW: '10' } });
    const sessionId = await app.newSession();
    await seed(sessionId, 30, (sequence) => ({ isContext: sequence % 3 === 0 }));
    const before = await transcript(app, sessionId);
    const context = await app.services.messages.readContext(sessionId);
    await app.services.messages.archiveOld(sessionId, async () => []);
    const rows = await getDatabase().prisma.sessionMessageArchive.findMany({ where: { sessionId } });
    expect(rows.map((row) => row.sequenceNumber).sort((a, b) => a - b)).toEqual([
      1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20,
    ]);
    expect(await transcript(app, sessionId)).toEqual(before);
    expect(await app.services.messages.readContext(sessionId)).toEqual(context);
    const both = await getDatabase().prisma.sessionMessage.count({
      where: { sessionId, sequenceNumber: { in: rows.map((row) => row.sequenceNumber) } },
    });
    expect(both).toBe(0);
    await app.api.messages.rate({ sessionId, sequenceNumber: 2, rating: 'up' });
    const [, rated] = (await app.api.messages.page({ sessionId, limit: 2, aroundSeq: 2 })).messages;
    expect(rated?.metadata).toEqual({ rating: 'up' });
  });

  it('answers the same client id as the first time, although its message was archived', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const sent = await talk(app, sessionId, 'Hi', 'Hello.', 'the-id');
    await getDatabase().prisma.sessionMessage.updateMany({ where: { sessionId }, data: { isContext: false } });
    await archiveRows(sessionId, [1, 2]);
    const again = await app.send(sessionId, 'Hi', 'the-id');
    expect(again).toMatchObject({ ...sent, message: { ...sent.message, isContext: false } });
    expect((await app.api.messages.page({ sessionId })).messages).toHaveLength(2);
    expect(app.model.calls).toHaveLength(1);
  });

  it('brings the context of a variant back that was archived meanwhile', async () => {
    const app = await open({ env: { NAVI_SESSION_MESSAGES_WINDOW: '1' } });
    const sessionId = await app.newSession();
    await talk(app, sessionId, 'Hi', 'first answer');
    app.model.replies.push(say('second answer'));
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    await app.services.messages.archiveOld(sessionId, async () => []);
    expect(await getDatabase().prisma.sessionMessageArchive.count({ where: { sessionId } })).toBe(1);
    const [original] = (await app.api.messages.page({ sessionId })).messages[1]?.variants?.branchIds ?? [];
    await app.api.messages.selectVariant({ sessionId, branchId: original ?? -1 });
    const context = await app.services.messages.readContext(sessionId);
    expect(context.map((message) => message.content)).toEqual(['Hi', 'first answer']);
  });

  it('edits a message whose predecessor is archived right after it, not at the start of the chat', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await talk(app, sessionId, 'one', 'a');
    await talk(app, sessionId, 'two', 'b');
    await getDatabase().prisma.sessionMessage.updateMany({
      where: { sessionId, sequenceNumber: { lte: 2 } },
      data: { isContext: false },
    });
    await archiveRows(sessionId, [1, 2]);
    app.model.replies.push(say('c'));
    await app.api.messages.editAndResend({ sessionId, sequenceNumber: 3, clientMessageId: 'edit', text: 'three' });
    await app.untilIdle(sessionId);
    expect((await transcript(app, sessionId)).map(([, text]) => text)).toEqual(['one', 'a', 'three', 'c']);
  });

  it('forks the current branch up to a message, with the context as it was there, and the two go apart', async () => {
    const app = await open({ tools: [createTestTool('look', async () => ({ text: 'seen' }))] });
    const sessionId = await app.newSession();
    await talk(app, sessionId, 'one', 'replaced');
    app.model.replies.push(say('kept'));
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    app.model.replies.push(callTools({ name: 'look' }), say('two done'));
    await app.send(sessionId, 'two');
    await app.untilIdle(sessionId);
    await talk(app, sessionId, 'three', 'three done');
    const source = (await app.api.messages.page({ sessionId })).messages;
    const at = source.find((message) => message.content === 'two done')?.sequenceNumber ?? -1;
    const fork = await app.api.sessions.fork({ sessionId, sequenceNumber: at });
    const copied = (await app.api.messages.page({ sessionId: fork.id })).messages;
    const same = (messages: typeof source) =>
      messages.map(({ branchId: _branch, variants: _variants, ...rest }) => rest);
    expect(same(copied)).toEqual(same(source.filter((message) => message.sequenceNumber <= at)));
    const contextOf = async (id: string) =>
      (await app.services.messages.readContext(id)).map((message) => message.content);
    expect(await contextOf(fork.id)).toEqual((await contextOf(sessionId)).slice(0, -2));
    await talk(app, fork.id, 'elsewhere', 'ok');
    await talk(app, sessionId, 'four', 'ok');
    expect((await transcript(app, fork.id)).map(([, text]) => text)).toEqual([
      'one',
      'kept',
      'two',
      '',
      'seen',
      'two done',
      'elsewhere',
      'ok',
    ]);
    expect((await transcript(app, sessionId)).length).toBe(source.length + 2);
    for (const sequenceNumber of [999, 2]) {
      const wrong = app.api.sessions.fork({ sessionId, sequenceNumber });
      await expect(wrong).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('exports the whole history, archived rows included, as JSON that reads back and as Markdown', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await seed(sessionId, 620, (sequence) =>
      sequence === 2 ? { content: '```\ncode\n```', thinking: 'hm ```` hm' } : {},
    );
    await archiveRows(sessionId, [1, 2, 3, 400]);
    await app.api.sessions.rename({ sessionId, name: 'Łąka / 问题?' });
    const json = await app.api.sessions.export({ sessionId, format: 'json' });
    expect([json.fileName, json.mimeType]).toEqual(['Łąka-问题.json', 'application/json']);
    const parsed = JSON.parse(json.content) as {
      format: string;
      messages: unknown[];
      session: Record<string, unknown>;
    };
    const pages = [];
    for (let at: number | null = 0; at !== null; ) {
      const page: Awaited<ReturnType<typeof app.api.messages.page>> = await app.api.messages.page({
        sessionId,
        afterSeq: at,
        limit: 200,
      });
      pages.push(...page.messages.map(({ variants: _variants, ...message }) => message));
      at = page.nextAfterSeq;
    }
    expect(parsed.messages).toEqual(pages);
    expect(parsed).toMatchObject({
      format: 'navi-session',
      version: 1,
      session: { id: sessionId, name: 'Łąka / 问题?' },
    });
    expect(parsed.session).not.toHaveProperty('userId');
    const markdown = await app.api.sessions.export({ sessionId, format: 'markdown' });
    for (const text of ['# Łąka / 问题?', 'm1', '`````\nhm ```` hm\n`````', 'm620'])
      expect(markdown.content).toContain(text);
  });

  it('rates answers alone, keeps the last word, and tells open tabs', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await talk(app, sessionId, 'Hi', 'Hello.');
    const watcher = app.watch(sessionId);
    await watcher.until((event) => event.kind === 'snapshot');
    await app.api.messages.rate({ sessionId, sequenceNumber: 2, rating: 'up' });
    const rated = await app.api.messages.rate({ sessionId, sequenceNumber: 2, rating: null });
    expect(rated.metadata).toMatchObject({ rating: null, turnEnd: { tokensIn: 100 } });
    await watcher.until((event) => event.kind === 'message-updated' && event.changes.metadata?.rating === null);
    for (const sequenceNumber of [1, 3]) {
      const wrong = app.api.messages.rate({ sessionId, sequenceNumber, rating: 'up' });
      await expect(wrong).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await watcher.stop();
  });
});
