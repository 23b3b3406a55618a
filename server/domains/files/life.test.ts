import { randomUUID } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../testing/database';
import { createFileCleanUp } from './clean-up';
import { createSessionDisk } from './disk';
import { createFileStore } from './store';
import { useFileServer } from './testing/file-server';

describeEachEngine('forks', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('carry the files of their source under the same ids, and go their own way from there', async () => {
    const server = getServer();
    const { api } = server.app;
    const sessionId = await server.app.newSession();
    const page = await server.uploadOne(sessionId, 'page.html', '<p>');
    const notes = await server.uploadOne(sessionId, 'notes.txt', 'notes');
    await api.files.publish({ sessionId, fileId: page.id });
    await api.messages.send({ sessionId, clientMessageId: 'a', text: 'Look', fileIds: [notes.id] });
    await server.app.untilIdle(sessionId);
    const fork = (await api.sessions.fork({ sessionId })).id;
    expect((await api.files.list({ sessionId: fork })).items).toEqual((await api.files.list({ sessionId })).items);
    const { messages } = await api.messages.page({ sessionId: fork });
    expect(messages[0]?.files?.map(({ id }) => id)).toEqual([notes.id]);
    // One copy of the bytes.
    const inodeOf = async (id: string) => (await stat(join(server.dataDir, 'session_files', id, notes.id))).ino;
    expect(await inodeOf(fork)).toBe(await inodeOf(sessionId));
    await api.files.remove({ sessionId, fileId: notes.id });
    expect(await (await server.download(fork, 'notes.txt')).text()).toBe('notes');
    expect((await server.download(sessionId, 'notes.txt')).status).toBe(404);
    // What the fork's agent is told leads to the fork.
    const view = await api.debug.context({ sessionId: fork });
    expect(view.messages[0]?.text).toContain(`session_files/${fork}/notes.txt`);
  });

  it('that fail leave nothing on the disk', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    await server.uploadOne(sessionId, 'a.txt', 'a');
    await expect(server.app.api.sessions.fork({ sessionId, sequenceNumber: 99 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await readdir(join(server.dataDir, 'session_files'))).toEqual([sessionId]);
  });
});

describeEachEngine('changes of files', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('are told to all who watch the session', async () => {
    const { app, uploadOne, upload } = getServer();
    const sessionId = await app.newSession();
    const watcher = app.watch(sessionId);
    await watcher.until(({ kind }) => kind === 'snapshot');
    const told = () => watcher.events.filter(({ event }) => event.kind === 'files-changed').length;
    const { id: fileId } = await uploadOne(sessionId, 'a.txt', 'a');
    await watcher.until(() => told() === 1);
    await app.api.files.publish({ sessionId, fileId });
    await watcher.until(() => told() === 2);
    // Nothing came of this one.
    await upload(sessionId, [['b.exe', 'b']]);
    await app.api.files.remove({ sessionId, fileId });
    await watcher.until(() => told() === 3);
    await watcher.stop();
    expect(told()).toBe(3);
  });
});

describeEachEngine('cleaning up files', (getDatabase) => {
  const getServer = useFileServer(getDatabase);
  const cleanUp = (now = new Date()) => {
    const warnings: string[] = [];
    const job = createFileCleanUp({
      store: createFileStore(getDatabase().prisma),
      disk: createSessionDisk({ dataDir: getServer().dataDir }),
      now: () => now,
      onForeignFolder: () => warnings.push('foreign'),
    });
    return { job, warnings };
  };

  it('removes folders whose session is gone for long, and keeps those of sessions in their grace', async () => {
    const server = getServer();
    const { job, warnings } = cleanUp(new Date(Date.now() + 2 * 60 * 60 * 1000));
    await job.mark();
    const sessionId = await server.app.newSession();
    await server.uploadOne(sessionId, 'a.txt', 'a');
    await server.app.api.sessions.remove({ sessionId });
    const orphan = join(server.dataDir, 'session_files', 'gone-session');
    await mkdir(orphan);
    await writeFile(join(orphan, 'x'), 'x');
    await job.run();
    expect(await readdir(join(server.dataDir, 'session_files'))).toEqual(['.database', sessionId]);
    expect(warnings).toEqual([]);
  });

  it('leaves the files of a fork alone whose row is not committed yet', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    await server.uploadOne(sessionId, 'a.txt', 'a');
    const fork = randomUUID();
    await server.app.services.files.prepareFork(sessionId, fork);
    await cleanUp().job.run();
    expect(await server.onDisk(fork)).toHaveLength(1);
    await cleanUp(new Date(Date.now() + 2 * 60 * 60 * 1000)).job.run();
    expect(await server.onDisk(fork)).toEqual([]);
  });

  it('removes nothing from a folder that belongs to another database', async () => {
    const server = getServer();
    const { job, warnings } = cleanUp();
    const folder = join(server.dataDir, 'session_files', 'session-of-another-database');
    await mkdir(folder, { recursive: true });
    await job.mark();
    await job.run();
    expect(warnings).toEqual(['foreign']);
    expect(await readdir(join(server.dataDir, 'session_files'))).toEqual(['session-of-another-database']);
  });

  it('removes uploads that died and bytes without a row once they are old, and nothing else', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const kept = await server.uploadOne(sessionId, 'a.txt', 'a');
    const folder = join(server.dataDir, 'session_files', sessionId);
    const temporary = '.navi-00000000-0000-4000-8000-000000000000.tmp';
    for (const name of [temporary, 'no-row', 'no-row.thumb', `${kept.id}.thumb`])
      await writeFile(join(folder, name), 'x');
    await cleanUp().job.run();
    expect(await readdir(folder)).toHaveLength(5);
    const later = new Date(Date.now() + 2 * 60 * 60 * 1000);
    await cleanUp(later).job.run();
    expect((await readdir(folder)).sort()).toEqual([kept.id, `${kept.id}.thumb`].sort());
  });
});
