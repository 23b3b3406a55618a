/** A session that changes hands takes along what is stored under its owner beside its row (product §2). */
import { expect, it } from 'vitest';
import { createUnitOfWork, type Transaction } from '../../database/transaction';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { createPerson, useApps } from '../../testing/use-apps';

describeEachEngine('a session that changes hands', (getDatabase) => {
  const open = useApps(getDatabase);
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => createUnitOfWork(getDatabase()).run(work);
  const admin = { userId: 'an-admin', isAdmin: true };
  const notFound = { cause: { code: 'not-found' } };

  /** A session without an owner, as older versions left them: with a plan, a note and a subagent that has both. */
  async function legacySession(app: TestApp): Promise<{ sessionId: string; childId: string }> {
    const sessionId = await app.newSession();
    const { id: childId } = await app.api.sessions.create({ parentId: sessionId });
    const { pool } = getDatabase();
    await pool.query('UPDATE sessions SET user_id = NULL WHERE id = ANY($1)', [[sessionId, childId]]);
    const old = app.as(admin);
    for (const id of [sessionId, childId]) {
      await old.todos.set({ sessionId: id, tasks: [{ text: `plan of ${id}` }] });
      await old.todos.addStep({ sessionId: id, step: { text: 'more' } });
      await old.kv.set({ sessionId: id, scope: 'scratchpad', key: 'notes', value: `notes of ${id}` });
    }
    return { sessionId, childId };
  }

  it('is claimed: plan, versions and notes are its new owner’s, those of subagents too', async () => {
    const app = await open();
    const ann = await createPerson(getDatabase());
    const { sessionId, childId } = await legacySession(app);
    const other = await legacySession(app);
    const hers = app.as(ann);
    await expect(hers.todos.get({ sessionId })).rejects.toMatchObject(notFound);
    await inTransaction((tx) => app.services.sessions.changeOwner(tx, sessionId, ann.userId));
    for (const id of [sessionId, childId]) {
      expect(await hers.todos.get({ sessionId: id })).toMatchObject({
        revision: 2,
        tasks: [{ text: `plan of ${id}` }, { text: 'more' }],
      });
      expect(await hers.kv.get({ sessionId: id, scope: 'scratchpad', key: 'notes' })).toEqual({
        value: `notes of ${id}`,
      });
      // The agent's own tools find the same plan, and it goes on where it was.
      expect((await app.services.todos.load(id)).revision).toBe(2);
      expect((await hers.todos.clear({ sessionId: id })).revision).toBe(3);
      const versions = await hers.todos.revisions({ sessionId: id });
      expect(versions.items.map((version) => version.revision)).toEqual([3, 2, 1]);
    }
    const { prisma } = getDatabase();
    expect(await prisma.sessionTodos.count({ where: { sessionId } })).toBe(1);
    // Nobody else's moved.
    await expect(hers.todos.get({ sessionId: other.sessionId })).rejects.toMatchObject(notFound);
    expect(await app.as(admin).todos.get({ sessionId: other.sessionId })).toMatchObject({ revision: 2 });
  });

  it('keeps the newest plan where both owners have one, and no version number comes twice', async () => {
    const app = await open();
    const ann = await createPerson(getDatabase());
    const { sessionId } = await legacySession(app);
    await getDatabase().prisma.sessionTodos.create({
      data: { userId: ann.userId, sessionId, revision: 1, tasks: [{ text: 'older' }], updatedAt: new Date(0) },
    });
    await inTransaction((tx) => app.services.sessions.changeOwner(tx, sessionId, ann.userId));
    const hers = app.as(ann);
    expect(await hers.todos.get({ sessionId })).toMatchObject({ revision: 2, tasks: [{}, { text: 'more' }] });
    await getDatabase().prisma.sessionTodos.create({
      data: { userId: '', sessionId, revision: 1, tasks: [{ id: 'step-1', text: 'newer' }], updatedAt: new Date() },
    });
    await inTransaction((tx) => app.services.sessions.changeOwner(tx, sessionId, null));
    expect(await app.as(admin).todos.get({ sessionId })).toMatchObject({ tasks: [{ text: 'newer' }] });
    expect((await app.as(admin).todos.addStep({ sessionId, step: { text: 'next' } })).revision).toBe(3);
  });

  it('belongs to nobody once its user is removed, with all it had, and is an admin’s to see', async () => {
    const app = await open();
    const ann = await createPerson(getDatabase());
    const hers = app.as(ann);
    const { id: sessionId } = await hers.sessions.create({});
    const plan = await hers.todos.set({ sessionId, tasks: [{ text: 'hers' }] });
    await hers.kv.set({ sessionId, scope: 'scratchpad', key: 'notes', value: 'kept' });
    const mine = await app.newSession();
    await app.api.todos.set({ sessionId: mine, tasks: [{ text: 'mine' }] });
    await inTransaction(async (tx) => {
      await app.services.sessions.disownAllOf(tx, ann.userId);
      await tx.client.user.delete({ where: { id: ann.userId } });
    });
    expect(await app.as(admin).todos.get({ sessionId })).toEqual(plan);
    expect(await app.as(admin).kv.get({ sessionId, scope: 'scratchpad', key: 'notes' })).toEqual({ value: 'kept' });
    await expect(hers.todos.get({ sessionId })).rejects.toMatchObject(notFound);
    expect(await app.api.todos.get({ sessionId: mine })).toMatchObject({ tasks: [{ text: 'mine' }] });
    await expect(
      inTransaction((tx) => app.services.sessions.changeOwner(tx, 'nobody', ann.userId)),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});
