import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../testing/database';
import { createPerson } from '../../testing/use-apps';
import { useFileServer } from './testing/file-server';

describeEachEngine('downloads', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('answer ranges as players and resumed downloads ask for them', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const bytes = randomBytes(200_000);
    await server.uploadOne(sessionId, 'film.bin', bytes);
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const ask = async (headers: Record<string, string>) => {
      const response = await server.download(sessionId, 'film.bin', { headers });
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        body: Buffer.from(await response.arrayBuffer()),
      };
    };
    const part = (from: number, to: number) => bytes.subarray(from, to);
    expect(await ask({})).toEqual({ status: 200, range: null, body: bytes });
    expect(await ask({ range: 'bytes=0-9' })).toEqual({ status: 206, range: 'bytes 0-9/200000', body: part(0, 10) });
    expect(await ask({ range: 'bytes=199990-' })).toMatchObject({ status: 206, body: part(199_990, 200_000) });
    expect(await ask({ range: 'bytes=-5' })).toMatchObject({ status: 206, body: part(199_995, 200_000) });
    expect(await ask({ range: 'bytes=100-999999' })).toMatchObject({ status: 206, range: 'bytes 100-199999/200000' });
    expect(await ask({ range: 'bytes=200000-' })).toMatchObject({ status: 416, range: 'bytes */200000' });
    expect(await ask({ range: 'bytes=-0' })).toMatchObject({ status: 416 });
    // What is no range of bytes, or several, is answered whole.
    for (const range of ['bytes=5-2', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-']) {
      expect((await ask({ range })).status).toBe(200);
    }
    expect((await ask({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await ask({ range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200);
    expect(await ask({ 'if-none-match': `W/"x", ${etag}` })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    const head = await server.download(sessionId, 'film.bin', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      '200000',
      'bytes',
    ]);
  });

  it('by name and id give that very file, and never one that got its name later', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const first = await server.uploadOne(sessionId, 'notes.txt', 'first');
    const ask = async (id: string, more = '') => {
      const answer = await server.download(sessionId, 'notes.txt', { query: `?id=${id}${more}` });
      return answer.status === 200 ? answer.text() : answer.status;
    };
    expect(await ask(first.id)).toBe('first');
    await server.app.api.files.remove({ sessionId, fileId: first.id });
    const second = await server.uploadOne(sessionId, 'notes.txt', 'second');
    expect(second.name).toBe('notes.txt');
    expect(await (await server.download(sessionId, 'notes.txt')).text()).toBe('second');
    expect(await Promise.all([ask(first.id), ask(first.id, '&download'), ask(first.id, '&thumbnail=1')])).toEqual([
      404, 404, 404,
    ]);
    expect(await ask(second.id, '&download')).toBe('second');
    for (const id of ['', '%00', 'x'.repeat(200), `${second.id}&id=${second.id}`]) expect(await ask(id), id).toBe(404);
    const other = await server.app.newSession();
    const elsewhere = await server.download(other, 'notes.txt', { query: `?id=${second.id}` });
    expect(elsewhere.status).toBe(404);
  });

  it.each([
    ['page.html', '<script>alert(1)</script>', 'attachment', 'text/html; charset=utf-8'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'attachment', 'image/svg+xml'],
    [
      'page.xhtml',
      '<html xmlns="http://www.w3.org/1999/xhtml"/>',
      'attachment',
      'application/xhtml+xml; charset=utf-8',
    ],
    [
      'data.xml',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
      'inline',
      'text/plain; charset=utf-8',
    ],
    ['code.js', 'alert(1)', 'inline', 'text/plain; charset=utf-8'],
    ['notes.md', '# <img src=x onerror=alert(1)>', 'inline', 'text/plain; charset=utf-8'],
    ['paper.pdf', '%PDF-1.4\n', 'attachment', 'application/pdf'],
    ['unknown.html', Buffer.from([0, 1, 2, 3]), 'attachment', 'application/octet-stream'],
  ])('never make %s a page of ours', async (name, content, disposition, type) => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    await server.uploadOne(sessionId, name, content);
    for (const [query, expected] of [
      ['', disposition],
      ['?download=1', 'attachment'],
    ] as const) {
      const { headers } = await server.download(sessionId, name, { query });
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${expected}; filename=`));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  it('of another person, a removed file, and what is no name at all answer not-found', async () => {
    const server = getServer();
    const stranger = await createPerson(getDatabase());
    const foreign = (await server.app.as(stranger).sessions.create({})).id;
    const sessionId = await server.app.newSession();
    const entry = await server.uploadOne(sessionId, 'mine.txt', 'x');
    await writeFile(join(server.dataDir, 'session_files', 'secret.txt'), 'secret');
    for (const [session, name] of [
      [foreign, 'mine.txt'],
      [sessionId, '../secret.txt'],
      [sessionId, '..%2Fsecret.txt'],
      [sessionId, entry.id],
      ['..', 'secret.txt'],
    ] as const) {
      expect((await server.download(session, name)).status).toBe(404);
    }
    expect((await fetch(`${server.origin}/api/sessions/${sessionId}/files/..%2f..%2fsecret.txt`)).status).toBe(404);
    await server.app.api.files.remove({ sessionId, fileId: entry.id });
    expect((await server.download(sessionId, 'mine.txt')).status).toBe(404);
    await expect(server.app.api.files.remove({ sessionId, fileId: entry.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('follow no link that somebody put in the place of a file', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const entry = await server.uploadOne(sessionId, 'a.txt', 'x');
    const path = join(server.dataDir, 'session_files', sessionId, entry.id);
    await rm(path);
    await symlink('/etc/passwd', path);
    expect((await server.download(sessionId, 'a.txt')).status).toBe(404);
    // Nor does the library that makes small pictures.
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#a0a' } })
      .png()
      .toBuffer();
    const image = await server.uploadOne(sessionId, 'b.png', png);
    const place = join(server.dataDir, 'session_files', sessionId, image.id);
    await rename(place, join(server.dataDir, 'elsewhere.png'));
    await symlink(join(server.dataDir, 'elsewhere.png'), place);
    expect((await server.download(sessionId, 'b.png', { query: '?thumbnail=1' })).status).toBe(404);
  });

  it('and uploads stay in the data folder when somebody put links into it', async () => {
    const server = getServer();
    const outside = await mkdtemp(join(tmpdir(), 'navi-outside-'));
    try {
      await writeFile(join(outside, 'secret'), 'secret');
      const sessionId = await server.app.newSession();
      const entry = await server.uploadOne(sessionId, 'a.txt', 'x');
      const folder = join(server.dataDir, 'session_files', sessionId);
      await rename(folder, join(outside, 'moved'));
      await symlink(join(outside, 'moved'), folder);
      // The folder itself is a link: nothing is read, written or removed through it.
      expect((await server.download(sessionId, 'a.txt')).status).toBe(404);
      const answer = await server.upload(sessionId, [['b.txt', 'y']]);
      expect(answer).toMatchObject({ status: 403, files: [], refused: [{ name: 'b.txt', code: 'forbidden' }] });
      await server.app.api.files.remove({ sessionId, fileId: entry.id });
      expect(await readdir(join(outside, 'moved'))).toEqual([entry.id]);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('find a name that a client rewrote, when only one reads the same', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    await server.uploadOne(sessionId, 'cafe\u0301\u202fmenu.txt', 'x');
    expect((await server.download(sessionId, 'caf\u00e9 menu.txt')).status).toBe(200);
  });

  it('that a client leaves in the middle close their file', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const entry = await server.uploadOne(sessionId, 'large.bin', Buffer.alloc(20 * 1024 * 1024));
    await new Promise<void>((resolve) => {
      const incoming = request(`${server.origin}/api/sessions/${sessionId}/files/large.bin`, (response) => {
        response.once('data', () => {
          incoming.destroy();
          resolve();
        });
      });
      incoming.on('error', () => {});
      incoming.end();
    });
    const isOpen = async () => {
      const descriptors = await readdir('/proc/self/fd').catch(() => []);
      const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return targets.some((target) => target.endsWith(entry.id));
    };
    await expect.poll(isOpen, { interval: 20 }).toBe(false);
  });
});

describeEachEngine('addresses that no file has', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('are not found, a NUL in them included', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const address = `${server.origin}/api/sessions`;
    for (const path of [
      `${sessionId}/files/%00`,
      `${sessionId}/files/a%00b`,
      '%00/files/a',
      `${sessionId}/files/..%2fx`,
    ]) {
      expect((await fetch(`${address}/${path}`)).status, path).toBe(404);
    }
    const form = new FormData();
    form.append('file', new Blob(['a']), 'a.txt');
    expect((await fetch(`${address}/%00/files`, { method: 'POST', body: form })).status).toBe(404);
  });
});

describeEachEngine('artifacts', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('are files that were published; a second time changes nothing', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const entry = await server.uploadOne(sessionId, 'page.html', '<p>');
    expect(entry.isPublished).toBe(false);
    const published = await server.app.api.files.publish({ sessionId, fileId: entry.id });
    expect(published).toEqual({ ...entry, isPublished: true });
    expect(await server.app.api.files.publish({ sessionId, fileId: entry.id })).toEqual(published);
    const { items, limits } = await server.app.api.files.list({ sessionId });
    expect(items).toEqual([published]);
    expect(limits.maxSizeBytes).toBe(200 * 1024 * 1024);
    expect(limits.refusedExtensions).toContain('exe');
    expect(limits.refusedExtensions).not.toContain('ts');
  });
});
