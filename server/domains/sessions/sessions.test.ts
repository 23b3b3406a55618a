import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../lib/errors';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { say } from '../../testing/scripted-model';
import { createPerson, useApps } from '../../testing/use-apps';
import { decodeCursor, encodeCursor } from './cursor';

describe('the cursor of the list', () => {
  it('comes back as it went, for any row', () => {
    const row = fc.record({
      pinned: fc.boolean(),
      lastActive: fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') })
        .map((date) => date.toISOString()),
      id: fc.string({ minLength: 1, maxLength: 60 }).filter((id) => !id.includes('\u0000') && id.isWellFormed()),
    });
    fc.assert(
      fc.property(row, (cursor) => {
        expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it('refuses every text that the list did not give out', () => {
    const isRefused = (text: string) => {
      try {
        decodeCursor(text);
      } catch (error) {
        return isAppError(error, 'invalid-input');
      }
      return false;
    };
    const wrong = [
      '',
      '%',
      'null',
      '[]',
      '[true,"yesterday","a"]',
      '[true,"2026-01-01T00:00:00Z","a\\u0000"]',
      '{"a":1}',
    ];
    for (const text of wrong) expect([text, isRefused(Buffer.from(text).toString('base64url'))]).toEqual([text, true]);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isRefused(text)).toBe(true);
      }),
    );
  });
});

describeEachEngine('sessions', (getDatabase) => {
  const open = useApps(getDatabase);

  async function talk(app: TestApp, text: string, answer = 'All right.'): Promise<string> {
    const sessionId = await app.newSession();
    app.model.replies.push(say(answer));
    await app.send(sessionId, text);
    await app.untilIdle(sessionId);
    return sessionId;
  }
  /** Sessions that were talked in, without the talking. */
  async function seed(userId: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => `${userId}-${String(index).padStart(3, '0')}`);
    await getDatabase().prisma.session.createMany({
      data: ids.map((id, index) => ({
        id,
        userId,
        profileId: 'default',
        displayMessageCount: 1,
        pinned: index % 7 === 0,
        // Several with the very same moment.
        lastActive: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 1_000),
      })),
    });
    await getDatabase().prisma.sessionEventHead.createMany({ data: ids.map((sessionId) => ({ sessionId })) });
    return ids;
  }

  it('lists pinned ones first, then the newest activity, complete and without doubles on pages of any size', async () => {
    const app = await open();
    const person = await createPerson(getDatabase());
    const ids = await seed(person.userId, 40);
    for (const limit of [1, 3, 7, 40, 50]) {
      const found: { id: string; pinned: boolean; lastActive: string }[] = [];
      let cursor: string | undefined;
      do {
        const page = await app.as(person).sessions.list({ limit, cursor });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(found.map((item) => item.id).sort()).toEqual(ids);
      const keys = found.map((item) => `${item.pinned ? 1 : 0} ${item.lastActive} ${item.id}`);
      expect(keys).toEqual([...keys].sort().reverse());
    }
  });

  it('pages completely over rows that stand still while others move', async () => {
    const app = await open();
    const person = await createPerson(getDatabase());
    const api = app.as(person);
    const ids = await seed(person.userId, 30);
    const moving = ids.filter((_, index) => index % 5 === 1);
    const found: string[] = [];
    let cursor: string | undefined;
    let round = 0;
    do {
      const page = await api.sessions.list({ limit: 4, cursor });
      found.push(...page.items.map((item) => item.id));
      cursor = page.nextCursor ?? undefined;
      const mover = moving[round++];
      if (mover !== undefined) {
        await getDatabase().prisma.session.update({ where: { id: mover }, data: { lastActive: new Date() } });
      }
    } while (cursor !== undefined);
    const still = ids.filter((id) => !moving.includes(id));
    expect(found.filter((id) => still.includes(id)).sort()).toEqual(still);
    expect(new Set(found).size).toBe(found.length);
  });

  it('lists neither pending sessions, nor children, nor removed ones, nor those of others', async () => {
    const app = await open();
    const person = await createPerson(getDatabase());
    const api = app.as(person);
    const pending = await api.sessions.create({ name: 'Nothing said' });
    const child = await api.sessions.create({ parentId: pending.id });
    await app.model.replies.push(say('a'));
    await api.messages.send({ sessionId: child.id, clientMessageId: 'a', text: 'Hi' });
    const [kept, removed] = await seed(person.userId, 2);
    await api.sessions.remove({ sessionId: removed ?? '' });
    await seed((await createPerson(getDatabase())).userId, 1);
    expect((await api.sessions.list({})).items.map((item) => item.id)).toEqual([kept]);
    await expect.poll(async () => (await api.sessions.get({ sessionId: child.id })).runState).toBe('idle');
  });

  it('moves a session up when somebody speaks in it, not when it is pinned, renamed or given a model', async () => {
    const app = await open();
    const first = await talk(app, 'one');
    const second = await talk(app, 'two');
    const before = await app.api.sessions.get({ sessionId: first });
    await app.api.sessions.rename({ sessionId: first, name: 'Renamed' });
    await app.api.sessions.setPinned({ sessionId: first, pinned: true });
    await app.api.sessions.setPinned({ sessionId: first, pinned: false });
    await app.api.sessions.setModel({ sessionId: first, model: 'test/other' });
    expect(await app.api.sessions.get({ sessionId: first })).toEqual({
      ...before,
      name: 'Renamed',
      model: 'test/other',
      // One quiet line says so (product §2), and the context is priced anew.
      displayMessageCount: before.displayMessageCount + 1,
      contextTokenCount: expect.any(Number),
      contextTokenSource: expect.any(String),
    });
    const { messages } = await app.api.messages.page({ sessionId: first });
    expect(messages.at(-1)).toMatchObject({
      role: 'system',
      content: 'Model: test/other',
      isContext: false,
      metadata: { source: 'model_switched', model: 'test/other' },
    });
    const order = async () =>
      (await app.api.sessions.list({})).items.map((item) => item.id).filter((id) => [first, second].includes(id));
    expect(await order()).toEqual([second, first]);
    await app.send(first, 'again');
    expect(await order()).toEqual([first, second]);
    await app.untilIdle(first);
  });

  it('takes a removal back within the minute and not after, and purges for good then', async () => {
    const app = await open();
    const sessionId = await talk(app, 'Remember this');
    const before = Date.now();
    const { restorableUntil } = await app.api.sessions.remove({ sessionId });
    const removedAt = new Date(restorableUntil).getTime() - 60_000;
    expect(removedAt).toBeGreaterThanOrEqual(before);
    expect(removedAt).toBeLessThanOrEqual(Date.now());
    await expect(app.api.sessions.get({ sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await app.api.sessions.restore({ sessionId })).toMatchObject({ id: sessionId, displayMessageCount: 2 });
    expect((await app.api.messages.page({ sessionId })).messages).toHaveLength(2);

    await app.api.sessions.remove({ sessionId });
    expect(await app.services.sessions.purge()).not.toContain(sessionId);
    const age = (seconds: number) =>
      getDatabase().pool.query("UPDATE sessions SET removed_at = removed_at - $2 * interval '1 second' WHERE id = $1", [
        sessionId,
        seconds,
      ]);
    await age(61);
    await expect(app.api.sessions.restore({ sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await app.services.sessions.purge()).toContain(sessionId);
    for (const table of [
      'session_messages',
      'session_events',
      'session_runs',
      'message_sends',
      'session_event_heads',
    ]) {
      const { rowCount } = await getDatabase().pool.query(`SELECT 1 FROM ${table} WHERE session_id = $1`, [sessionId]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
  });

  it('purges sessions in which nothing was said for a day, and no other', async () => {
    const app = await open();
    const [young, old, spoken] = [await app.newSession(), await app.newSession(), await talk(app, 'Hi')];
    await getDatabase().prisma.session.updateMany({
      where: { id: { in: [old, spoken] } },
      data: { createdAt: new Date(Date.now() - 25 * 60 * 60 * 1000) },
    });
    const purged = await app.services.sessions.purge();
    expect([young, old, spoken].map((id) => purged.includes(id))).toEqual([false, true, false]);
  });

  it('shows sessions without an owner to admins alone, who can also take them back', async () => {
    const app = await open();
    const sessionId = await talk(app, 'From before there were accounts');
    await getDatabase().prisma.session.update({ where: { id: sessionId }, data: { userId: null } });
    const person = await createPerson(getDatabase());
    await expect(app.as(person).sessions.get({ sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await app.api.sessions.remove({ sessionId });
    expect(await app.api.sessions.restore({ sessionId })).toMatchObject({ id: sessionId, userId: null });
  });

  it('keeps NUL and half characters out of every text, and refuses them in ids', async () => {
    const app = await open();
    const { id: sessionId } = await app.api.sessions.create({ name: 'a\u0000b\ud83d' });
    expect((await app.api.sessions.get({ sessionId })).name).toBe('ab\ufffd');
    expect((await app.api.sessions.rename({ sessionId, name: ' c\u0000\udc00 ' })).name).toBe('c\ufffd');
    const bad = 'x\u0000y';
    const refused = [
      app.api.sessions.get({ sessionId: bad }),
      app.api.sessions.create({ profileId: bad }),
      app.api.sessions.create({ parentId: bad }),
      app.api.sessions.create({ name: '\u0000' }),
      app.api.sessions.setModel({ sessionId, model: bad }),
      app.api.sessions.list({ profileId: bad }),
      app.api.messages.send({ sessionId, clientMessageId: bad, text: 'a' }),
      app.api.messages.send({ sessionId, clientMessageId: 'a', text: '\u0000 ' }),
      app.api.messages.send({ sessionId, clientMessageId: 'a', text: 'a', fileIds: [bad] }),
      app.api.messages.cancelQueued({ sessionId, queuedId: bad }),
      app.api.runs.approve({ sessionId, toolCallId: bad, decision: 'approved' }),
    ];
    for (const call of refused) await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    // Half a character in an id is another id, and idempotent all the same.
    const odd = { sessionId, clientMessageId: 'half \ud83d', text: 'Hi \udc00' };
    const sent = await app.api.messages.send(odd);
    expect(await app.api.messages.send(odd)).toEqual(sent);
    await app.untilIdle(sessionId);
    await expect(app.api.sessions.get({ sessionId: 'half \ud83d' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
