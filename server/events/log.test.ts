import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAppError } from '../lib/errors';
import { describeEachEngine } from '../testing/database';
import type { Signal } from './bus';
import { LeaseLostError } from './log';
import { createEventRig, delta, draft } from './testing/event-rig';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describeEachEngine('event log', (getDatabase) => {
  it('numbers the events of each session 1, 2, 3 … in the order given, several sessions per batch', async () => {
    const { log, store, newSession } = createEventRig(getDatabase());
    const sessions = [await newSession(), await newSession(), await newSession()];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 30 }), async (order) => {
        const before = await Promise.all(sessions.map((id) => store.readHead(id)));
        await log.appendMany(order.map((index, position) => draft(sessions[index] ?? '', String(position))));
        for (const [index, sessionId] of sessions.entries()) {
          const rows = await store.readAfter(sessionId, before[index] ?? 0, 100);
          const expected = order.flatMap((of, position) => (of === index ? [String(position)] : []));
          expect(rows.map(({ event }) => (event.kind === 'text-delta' ? event.text : ''))).toEqual(expected);
          expect(rows.map((row) => row.id)).toEqual(upTo(expected.length).map((id) => id + (before[index] ?? 0)));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('gives consecutive ids and no deadlock when many connections write batches and transactions at once', async () => {
    const { log, unitOfWork, newSession, idsOf } = createEventRig(getDatabase());
    const sessions = await Promise.all([newSession(), newSession(), newSession()]);
    const rotated = (by: number) => [...sessions.slice(by % 3), ...sessions.slice(0, by % 3)];
    const writes = upTo(60).map((round) =>
      round % 3 === 0
        ? unitOfWork.run(async (tx) => {
            const sessionId = sessions[round % 2] ?? '';
            await tx.client.session.update({ where: { id: sessionId }, data: { pinned: round % 2 === 0 } });
            await log.append(tx, sessionId, [delta('tx'), delta('tx')]);
          })
        : // Each in another order: the heads must be locked in one order all the same.
          log.appendMany(rotated(round).map((sessionId) => draft(sessionId, 'batch'))),
    );
    await Promise.all(writes);
    const counts = await Promise.all(sessions.map(idsOf));
    for (const ids of counts) expect(ids).toEqual(upTo(ids.length));
    expect(counts.flat()).toHaveLength(20 * 2 + 40 * 3);
  });

  it('refuses a stale epoch in a batch without touching the others, and names what it refused', async () => {
    const { log, claim, newSession, idsOf } = createEventRig(getDatabase());
    const [taken, own] = [await newSession(), await newSession()];
    const old = await claim(taken);
    const newer = await claim(taken);
    const epoch = await claim(own);
    const late = draft(taken, 'late', old);
    const { refused } = await log.appendMany([draft(own, 'a', epoch), late, draft(taken, 'new', newer)]);
    expect(refused).toEqual([late]);
    expect([await idsOf(taken), await idsOf(own)]).toEqual([[1], [1]]);
  });

  it('rolls a transaction back when its epoch is stale, and publishes nothing of it', async () => {
    const { log, bus, claim, unitOfWork, newSession, idsOf } = createEventRig(getDatabase());
    const sessionId = await newSession();
    const old = await claim(sessionId);
    await claim(sessionId);
    const signals: Signal[] = [];
    bus.on(`session:${sessionId}`, (signal) => signals.push(signal));
    const write = unitOfWork.run(async (tx) => {
      await tx.client.session.update({ where: { id: sessionId }, data: { name: 'half done' } });
      await log.append(tx, sessionId, [delta('late')], old);
    });
    await expect(write).rejects.toBeInstanceOf(LeaseLostError);
    expect(await getDatabase().prisma.session.findUnique({ where: { id: sessionId } })).toMatchObject({ name: null });
    expect([await idsOf(sessionId), signals]).toEqual([[], []]);
  });

  it('publishes after the commit, and nothing when the transaction fails', async () => {
    const { log, bus, unitOfWork, newSession } = createEventRig(getDatabase());
    const sessionId = await newSession();
    const signals: Signal[] = [];
    bus.on(`session:${sessionId}`, (signal) => signals.push(signal));
    await unitOfWork.run(async (tx) => {
      await log.append(tx, sessionId, [delta('a'), delta('b')]);
      expect(signals).toEqual([]);
    });
    expect(signals).toMatchObject([{ topic: 'session', lastId: 2, rows: [{ id: 1 }, { id: 2 }] }]);
    const failing = unitOfWork.run(async (tx) => {
      await log.append(tx, sessionId, [delta('c')]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(signals).toHaveLength(1);
  });

  it('answers not-found for a session that is gone', async () => {
    const { log, unitOfWork } = createEventRig(getDatabase());
    const write = unitOfWork.run((tx) => log.append(tx, 'nobody', [delta('a')]));
    await expect(write).rejects.toSatisfy((error) => isAppError(error, 'not-found'));
    expect((await log.appendMany([draft('nobody', 'a')])).refused).toHaveLength(1);
  });

  it('stores NUL and half surrogate pairs in a form that every reader gets alike', async () => {
    const { log, bus, store, newSession } = createEventRig(getDatabase());
    const sessionId = await newSession();
    const published: unknown[] = [];
    bus.on(`session:${sessionId}`, (signal) => published.push('rows' in signal ? signal.rows : null));
    await log.appendMany([draft(sessionId, 'a\u0000b\ud83d')]);
    const stored = await store.readAfter(sessionId, 0, 10);
    expect(stored).toMatchObject([{ event: { text: 'ab\ufffd' } }]);
    expect(published).toEqual([stored.map((row) => ({ ...row, sessionId }))]);
  });

  it('knows exactly from which ids a reader can go on, before and after pruning', async () => {
    const { log, store, newSession } = createEventRig(getDatabase());
    const { pool } = getDatabase();
    const sessionId = await newSession();
    await log.appendMany(upTo(10).map((index) => draft(sessionId, String(index))));
    for (const id of upTo(10)) expect(await store.canResume(sessionId, id)).toBe(true);
    for (const id of [-1, 11, 1_000_000]) expect(await store.canResume(sessionId, id)).toBe(false);
    // Ages and ids cross: the fourth was begun before the others, the sixth after them.
    await pool.query(
      `UPDATE session_events SET created_at = now() - CASE WHEN id IN (1, 2, 4) THEN interval '2 hours' ELSE interval '1 minute' END
       WHERE session_id = $1`,
      [sessionId],
    );
    await store.prune(new Date(Date.now() - 3_600_000));
    expect((await store.readAfter(sessionId, 0, 100)).map((row) => row.id)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await store.canResume(sessionId, 3)).toBe(false);
    expect(await store.canResume(sessionId, 4)).toBe(true);
  });

  it('prunes nothing of a session in which a run is live', async () => {
    const { log, store, newSession, idsOf } = createEventRig(getDatabase());
    const sessionId = await newSession();
    await log.appendMany([draft(sessionId, 'a')]);
    await getDatabase().pool.query(`UPDATE session_event_heads SET run_id = 'live' WHERE session_id = $1`, [sessionId]);
    await store.prune(new Date(Date.now() + 60_000));
    expect(await idsOf(sessionId)).toEqual([1]);
  });

  it('reads on for many subscribers at once, each from its own cursor', async () => {
    const { log, store, newSession } = createEventRig(getDatabase());
    const sessions = [await newSession(), await newSession()];
    await log.appendMany(sessions.flatMap((sessionId) => upTo(6).map((index) => draft(sessionId, String(index)))));
    const cursors = [
      { sessionId: sessions[0] ?? '', afterId: 4 },
      { sessionId: sessions[1] ?? '', afterId: 0 },
    ];
    const rows = await store.readManyAfter(cursors, 3);
    const idsOf = (sessionId = '') => rows.filter((row) => row.sessionId === sessionId).map((row) => row.id);
    expect([idsOf(sessions[0]), idsOf(sessions[1])]).toEqual([
      [5, 6],
      [1, 2, 3],
    ]);
  });
});
