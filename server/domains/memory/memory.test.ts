import { afterEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app';
import { describeEachEngine } from '../../testing/database';
import { callTools, createScriptedModel, say } from '../../testing/scripted-model';
import { prose, talk } from '../compression/testing/talk';

describeEachEngine('memory', (getDatabase) => {
  const apps: TestApp[] = [];
  async function open(options: Parameters<typeof createTestApp>[1] = {}): Promise<TestApp> {
    const app = await createTestApp(getDatabase(), options);
    apps.push(app);
    return app;
  }
  afterEach(async () => {
    for (const app of apps.splice(0)) {
      await app.close();
      expect(app.unexpected).toEqual([]);
    }
  });

  const SECRET = 'The spare key of the boathouse hangs behind the third lantern.';

  /** A session in which a fact was said first, and compressed away. */
  async function compressed(app: TestApp): Promise<string> {
    talk(app.model, (call) => prose(`a${call}`, 900));
    const sessionId = await app.newSession();
    for (const text of [SECRET, ...[2, 3, 4, 5, 6].map((turn) => prose(`q${turn}`, 900))]) {
      await app.send(sessionId, text);
      await app.untilIdle(sessionId);
    }
    const result = await app.api.compression.run({ sessionId });
    expect(result.kind).toBe('compression');
    return sessionId;
  }

  it('the agent finds what left its context, and reads it word for word', async () => {
    const app = await open({ env: { NAVI_MEMORY_RECALL_ENABLED: 'false' } });
    const sessionId = await compressed(app);
    app.model.replies.push(
      callTools({ name: 'memory_search', arguments: { query: 'boathouse key' } }),
      callTools({ name: 'memory_read', arguments: { from: 1, to: 1 }, id: 'read' }),
      say('Behind the third lantern.'),
    );
    await app.send(sessionId, 'Where did I say it hangs?');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId, limit: 200 });
    const results = messages.filter((message) => message.role === 'tool').slice(-2);
    expect(results[0]?.content).toContain(SECRET);
    expect(results[0]?.content).toMatch(/Messages? 1\b/);
    expect(results[1]?.content).toContain(`[1] user`);
    expect(results[1]?.content).toContain(SECRET);
  });

  it('finds it from another chat of the same person, and not from anybody else’s', async () => {
    const app = await open();
    await compressed(app);
    const mine = await app.newSession();
    const found = await app.api.memory.search({ sessionId: mine, scope: 'sessions', query: 'boathouse key' });
    expect(found.items[0]?.text).toContain(SECRET);
    await getDatabase().pool.query(`INSERT INTO navi_users (id) VALUES ('other') ON CONFLICT DO NOTHING`);
    const other = app.as({ userId: 'other', isAdmin: false });
    const theirs = await other.sessions.create({});
    const nothing = await other.memory.search({ sessionId: theirs.id, scope: 'sessions', query: 'boathouse key' });
    expect(nothing.items).toEqual([]);
    await expect(other.memory.search({ sessionId: mine, query: 'boathouse' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('finds notes, the session’s own first, and the latest when nothing is asked for', async () => {
    const app = await open();
    const sessionId = await app.newSession();
    await app.api.kv.set({ sessionId, scope: 'scratchpad', key: 'findings', value: 'The valve K7 opens at 4 bar.' });
    const byWord = await app.api.memory.search({ sessionId, scope: 'sketches', query: 'valve' });
    expect(byWord.items).toMatchObject([{ section: 'findings', text: 'The valve K7 opens at 4 bar.' }]);
    expect((await app.api.memory.search({ sessionId, scope: 'sketches' })).items).toHaveLength(1);
  });

  it('the time range narrows, and nothing of a deleted chat is found', async () => {
    const app = await open();
    const sessionId = await compressed(app);
    const query = 'boathouse key';
    const long = await app.api.memory.search({ sessionId, query, before: '2020-01-01T00:00:00Z' });
    expect(long.items).toEqual([]);
    await app.api.sessions.remove({ sessionId });
    const other = await app.newSession();
    const elsewhere = await app.api.memory.search({ sessionId: other, scope: 'sessions', query, limit: 50 });
    expect(elsewhere.items.filter((item) => item.sessionId === sessionId)).toEqual([]);
    await getDatabase().pool.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
    const { rows } = await getDatabase().pool.query('SELECT 1 FROM memory_chunks WHERE session_id = $1', [sessionId]);
    expect(rows).toEqual([]);
  });

  it('a failure to index fails no compression, and is made good later', async () => {
    const app = await open();
    talk(app.model, (call) => prose(`a${call}`, 900));
    const sessionId = await app.newSession();
    for (const text of [SECRET, ...[2, 3, 4, 5, 6].map((turn) => prose(`q${turn}`, 900))]) {
      await app.send(sessionId, text);
      await app.untilIdle(sessionId);
    }
    const { pool } = getDatabase();
    await pool.query('ALTER TABLE memory_chunks ADD CONSTRAINT refuse CHECK (false) NOT VALID');
    const result = await app.api.compression.run({ sessionId });
    expect(result).toMatchObject({ kind: 'compression', compression: { status: 'done' } });
    expect(app.unexpected.splice(0)).toHaveLength(1);
    await pool.query('ALTER TABLE memory_chunks DROP CONSTRAINT refuse');
    expect(await app.services.compressions.repairChunks()).toBe(1);
    const found = await app.api.memory.search({ sessionId, query: 'boathouse key' });
    expect(found.items[0]?.text).toContain(SECRET);
    expect(await app.services.compressions.repairChunks()).toBe(0);
  });

  it('meaning finds what words do not, where a connection embeds', async () => {
    const model = createScriptedModel();
    const isAboutKeys = (text: string) => /key|unlock|door/i.test(text);
    model.models = {
      ...model.models,
      embedder: async () => ({
        model: 'test/embed',
        embed: async (texts) => texts.map((text) => Float32Array.from(isAboutKeys(text) ? [1, 0] : [0, 1])),
      }),
    };
    const app = await open({ model });
    const sessionId = await compressed(app);
    expect(await app.services.memory.embedPending(AbortSignal.timeout(30_000))).toBeGreaterThan(0);
    const found = await app.api.memory.search({ sessionId, query: 'How do we unlock it?' });
    expect(found.items.some((item) => item.text.includes(SECRET))).toBe(true);
  });
});
