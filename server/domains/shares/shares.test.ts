import { expect, it } from 'vitest';
import { createUnitOfWork } from '../../database/transaction';
import type { TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { createGate, say, sayAround } from '../../testing/scripted-model';
import { createPerson, useApps } from '../../testing/use-apps';
import type { MessageDraft } from '../messages/stored-message';
import { everyMessage, INSIDE } from './testing/every-message';
import { keyPaths } from './testing/key-paths';

/** Every key that a share's first answer may have. A new one is a decision: docs/decisions/0041-shares.md. */
const allowedKeys = `createdAt lastActive name page page.messages page.nextBeforeSeq profileName
  page.messages[].artifact page.messages[].artifact.id page.messages[].artifact.kind page.messages[].artifact.mimeType
  page.messages[].artifact.name page.messages[].artifact.sizeBytes page.messages[].artifact.title
  page.messages[].compression page.messages[].compression.durationMs page.messages[].compression.isUndone
  page.messages[].compression.messagesAfter page.messages[].compression.messagesBefore page.messages[].compression.method
  page.messages[].compression.model page.messages[].compression.tokensAfter page.messages[].compression.tokensBefore
  page.messages[].compression.trigger page.messages[].content page.messages[].createdAt page.messages[].durationMs
  page.messages[].elapsedSeconds page.messages[].errorCode page.messages[].files page.messages[].files[].id
  page.messages[].files[].kind page.messages[].files[].mimeType page.messages[].files[].name
  page.messages[].files[].sizeBytes page.messages[].images page.messages[].images[].id page.messages[].images[].kind
  page.messages[].images[].mimeType page.messages[].images[].name page.messages[].images[].sizeBytes
  page.messages[].cutBy page.messages[].isInterrupted page.messages[].isPlan page.messages[].isStopped page.messages[].name
  page.messages[].planSteps page.messages[].planSteps[].executor page.messages[].planSteps[].executor.kind
  page.messages[].planSteps[].executor.name page.messages[].planSteps[].text page.messages[].role
  page.messages[].sequenceNumber page.messages[].source page.messages[].thinking page.messages[].thinkingMs
  page.messages[].toolCallCount page.messages[].toolCallId page.messages[].toolCalls page.messages[].toolCalls[].arguments
  page.messages[].toolCalls[].id page.messages[].toolCalls[].name page.messages[].toolStatus`
  .split(/\s+/)
  .sort();

describeEachEngine('shares', (getDatabase) => {
  const open = useApps(getDatabase);

  async function add(app: TestApp, sessionId: string, drafts: MessageDraft[]): Promise<number[]> {
    const unitOfWork = createUnitOfWork(getDatabase());
    const { messages } = await unitOfWork.run((tx) => app.services.messages.append(tx, sessionId, drafts));
    return messages.map((message) => message.sequenceNumber);
  }

  async function shared(app: TestApp, drafts: MessageDraft[] = [{ role: 'user', content: 'Hello' }]) {
    const sessionId = await app.newSession();
    await add(app, sessionId, drafts);
    const { token } = await app.api.shares.issue({ sessionId });
    return { sessionId, token };
  }

  const contents = async (app: TestApp, token: string) =>
    (await app.api.shares.view({ token })).page.messages.map((message) => message.content);

  it('gives one link per session, the same each time, with the token behind the hash', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await add(app, sessionId, [{ role: 'user', content: 'Hello' }]);
    const links = await Promise.all([1, 2, 3].map(() => app.api.shares.issue({ sessionId })));
    expect(new Set(links.map((link) => link.token)).size).toBe(1);
    expect(links[0]?.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(links[0]?.url).toBe(`http://navi.test/#share=${links[0]?.token}`);
    expect((await app.api.shares.check({ sessionId })).isShared).toBe(true);
  });

  it('refuses a session in which nothing was said, and a subagent’s', async () => {
    const app = await open();
    const pending = await app.newSession();
    await expect(app.api.shares.issue({ sessionId: pending })).rejects.toMatchObject({ code: 'CONFLICT' });
    const parent = await app.newSession();
    const child = (await app.api.sessions.create({ parentId: parent })).id;
    await add(app, child, [{ role: 'user', content: 'Find out' }]);
    await expect(app.api.shares.issue({ sessionId: child })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(app.api.shares.check({ sessionId: child })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('lets an admin with an account share what is another’s, and nobody else', async () => {
    const app = await open();
    const owner = await createPerson(getDatabase());
    const sessionId = (await app.as(owner).sessions.create({})).id;
    await add(app, sessionId, [{ role: 'user', content: 'Hello' }]);
    const refused = { code: 'NOT_FOUND', message: 'This chat does not exist or was deleted.' };
    const stranger = app.as(await createPerson(getDatabase()));
    await expect(stranger.shares.issue({ sessionId })).rejects.toMatchObject(refused);
    await expect(stranger.shares.check({ sessionId })).rejects.toMatchObject(refused);
    // With accounts off everybody has an admin's rights, but owns nothing of the accounts of earlier days.
    await expect(app.api.shares.issue({ sessionId })).rejects.toMatchObject(refused);
    const admin = app.as(await createPerson(getDatabase(), true));
    const { token } = await admin.shares.issue({ sessionId });
    expect((await app.as(owner).shares.issue({ sessionId })).token).toBe(token);
    expect((await app.as(owner).shares.list()).items.map((item) => item.sessionId)).toEqual([sessionId]);
    expect((await admin.shares.list()).items.map((item) => item.sessionId)).not.toContain(sessionId);
  });

  it('lets sessions without an owner be shared by whoever is an admin', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await add(app, sessionId, [{ role: 'user', content: 'Hello' }]);
    await getDatabase().pool.query('UPDATE sessions SET user_id = NULL WHERE id = $1', [sessionId]);
    const person = app.as(await createPerson(getDatabase()));
    await expect(person.shares.issue({ sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { token } = await app.api.shares.issue({ sessionId });
    expect(token).toHaveLength(43);
    // They find the link again; nobody else is told of it.
    expect((await app.api.shares.list()).items.find((item) => item.sessionId === sessionId)?.token).toBe(token);
    expect((await person.shares.list()).items).toEqual([]);
  });

  it('shows exactly the keys of the allowlist, at every depth, whatever messages carry', async () => {
    const app = await open();
    const owner = await createPerson(getDatabase());
    const sessionId = (await app.as(owner).sessions.create({})).id;
    await add(app, sessionId, everyMessage([sessionId, owner.userId]));
    const { token } = await app.as(owner).shares.issue({ sessionId });
    const view = await app.api.shares.view({ token });
    expect(keyPaths(view, ['arguments'])).toEqual(allowedKeys);
    const text = JSON.stringify([view, await app.api.shares.messages({ token, beforeSeq: 1000 })]);
    for (const inside of [INSIDE, sessionId, owner.userId, token]) expect(text).not.toContain(inside);
    // The ids of files are those whose bytes may be fetched, and no others.
    expect(text.match(/file-\d/g)?.sort()).toEqual(['file-1', 'file-1', 'file-3', 'file-3']);
    expect(view.page.messages.map(({ role, source, name }) => source ?? name ?? role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'read_file',
      'memory_read',
      'content_publish',
      'share_file',
      'assistant',
      'compression',
      'memory_recall',
      'synapse_event',
      'profile_switched',
    ]);
  });

  it('shows the current branch only, and what is said later as well', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    app.model.replies.push(say('First answer.'));
    await app.send(sessionId, 'Question');
    await app.untilIdle(sessionId);
    const { token } = await app.api.shares.issue({ sessionId });
    expect(await contents(app, token)).toEqual(['Question', 'First answer.']);
    app.model.replies.push(say('Second answer.'));
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    expect(await contents(app, token)).toEqual(['Question', 'Second answer.']);
    await add(app, sessionId, [{ role: 'user', content: 'And then?' }]);
    expect(await contents(app, token)).toEqual(['Question', 'Second answer.', 'And then?']);
  });

  it('does not show what waits in the queue', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    const gate = createGate();
    app.model.replies.push(sayAround('Slow', gate, 'ly.'), say('Done.'));
    await app.send(sessionId, 'First');
    await app.send(sessionId, 'Waiting');
    const { token } = await app.api.shares.issue({ sessionId });
    expect((await app.api.messages.queue({ sessionId })).queue.map((one) => one.text)).toEqual(['Waiting']);
    expect(await contents(app, token)).toEqual(['First']);
    gate.open();
    await app.untilIdle(sessionId);
  });

  it('pages back through hot and archived messages without a gap', async () => {
    const app = await open();
    const { sessionId, token } = await shared(
      app,
      Array.from({ length: 130 }, (_, index) => ({
        role: 'user' as const,
        content: `m${index + 1}`,
        isContext: index > 60,
      })),
    );
    await createUnitOfWork(getDatabase()).run(async (tx) => {
      await tx.client.$executeRaw`
        WITH moved AS (DELETE FROM session_messages WHERE session_id = ${sessionId} AND NOT is_context RETURNING *)
        INSERT INTO session_messages_archive SELECT moved.*, now() FROM moved`;
    });
    const { page } = await app.api.shares.view({ token });
    const read = [...page.messages];
    for (let at = page.nextBeforeSeq; at !== null; ) {
      const older = await app.api.shares.messages({ token, beforeSeq: at });
      expect(older.messages.length).toBeLessThanOrEqual(50);
      read.unshift(...older.messages);
      at = older.nextBeforeSeq;
    }
    expect(read.map((message) => message.content)).toEqual(Array.from({ length: 130 }, (_, index) => `m${index + 1}`));
  });

  it('answers the same to every token that leads nowhere, also while a deletion can be undone', async () => {
    const app = await open();
    const { sessionId, token } = await shared(app);
    const failureOf = async (of: string) => {
      const failures = await Promise.all(
        [
          app.api.shares.view({ token: of }),
          app.api.shares.messages({ token: of, beforeSeq: 10 }),
          app.services.shares.file(of, 'file-1'),
        ].map((call) =>
          call.then(
            () => 'answered',
            ({ code, message }) => `${code}: ${message}`,
          ),
        ),
      );
      return failures.map((failure) => failure.replace('NOT_FOUND', 'not-found'));
    };
    const unknown = await failureOf('x'.repeat(43));
    expect(new Set(unknown).size).toBe(1);
    await app.api.sessions.remove({ sessionId });
    for (const other of [
      token,
      '',
      'a\u0000b',
      `${token} `,
      token.toUpperCase(),
      `%${token.slice(1)}`,
      '../../etc/passwd',
    ]) {
      expect(await failureOf(other)).toEqual(unknown);
    }
    expect((await app.api.shares.list()).items.some((item) => item.sessionId === sessionId)).toBe(false);
    // Undoing the deletion undoes all of it.
    await app.api.sessions.restore({ sessionId });
    expect(await contents(app, token)).toEqual(['Hello']);
    await getDatabase().pool.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
    expect(await failureOf(token)).toEqual(unknown);
    expect((await getDatabase().pool.query('SELECT 1 FROM session_shares WHERE token = $1', [token])).rowCount).toBe(0);
  });

  it('lists what a person shares, newest share first', async () => {
    const app = await open();
    const person = app.as(await createPerson(getDatabase()));
    const tokens: string[] = [];
    for (const name of ['First', 'Second']) {
      const sessionId = (await person.sessions.create({ name })).id;
      await add(app, sessionId, [{ role: 'user', content: name }]);
      tokens.unshift((await person.shares.issue({ sessionId })).token);
    }
    const { items } = await person.shares.list();
    expect(items.map((item) => item.name)).toEqual(['Second', 'First']);
    expect(items.map((item) => item.token)).toEqual(tokens);
  });

  it('finds likely secrets in everything that would be shown, with their places, and nowhere else', async () => {
    const app = await open();
    const key = `sk${'-proj-'}q7Xb2Lk9Vt4Rm8Zp1Wc6Ny3Hs5Jd0Fg2Ga7Ke9`;
    const sessionId = (await app.api.sessions.create({ name: `password=hunter2` })).id;
    await add(app, sessionId, [
      { role: 'user', content: `my key is ${key}` },
      {
        role: 'assistant',
        content: '',
        thinking: 'password: hunter3',
        toolCalls: [{ id: 'a', name: 'web_fetch', arguments: { headers: { Authorization: `Bearer ${key}` } } }],
      },
      { role: 'tool', name: 'web_fetch', toolCallId: 'a', content: '{"card":"4111 1111 1111 1111"}' },
      { role: 'user', content: `hidden ${key}`, isDisplay: false },
      { role: 'system', content: `context ${key}`, metadata: { source: 'memory_recall' } },
    ]);
    const { findings, isComplete, checkedMessages } = await app.api.shares.check({ sessionId });
    expect(findings.map(({ kind, sequenceNumber, place }) => [kind, sequenceNumber, place])).toEqual([
      ['Password', null, 'name'],
      ['Card number', 3, 'tool-result'],
      ['Password', 2, 'thinking'],
      ['OpenAI key', 2, 'tool-call'],
      ['OpenAI key', 1, 'text'],
    ]);
    expect({ isComplete, checkedMessages }).toEqual({ isComplete: true, checkedMessages: 4 });
    expect(JSON.stringify(findings)).not.toMatch(/hunter|1111 1111|q7Xb2Lk9/);
  });
});
