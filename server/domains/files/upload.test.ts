import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../testing/database';
import { createPerson } from '../../testing/use-apps';
import type { UploadAnswer } from './schema';
import { useFileServer } from './testing/file-server';

/** Ready set of cases/ (G02, G03, G04) and what else people call their files. */
const names = [
  'Fibonacci_suit_génération.js',
  'Simple – Générer la suite de Fibonacci.js',
  'Расчет_иска.docx',
  'ă à ạ ã.zip',
  'narrow\u202fspace and\u00a0no-break.txt',
  'שלום עולם.pdf',
  '日本語の資料 🗾.md',
  'zero\u200bwidth’s.txt',
  '%2e%2e%2f%2e%2e%2fx',
  '100%.txt',
  'a "quoted" name.txt',
  "it's; a=b, (c) #1 ?x&y.txt",
  'e\u0301 decomposed.txt',
  '.env',
  'no extension',
  ' leading and trailing ',
  'CON',
  `${'д'.repeat(125)}.txt`,
];

describeEachEngine('uploads', (getDatabase) => {
  const getServer = useFileServer(getDatabase, { env: { NAVI_SESSION_FILES_MAX_SIZE_MB: '1' } });

  it.each([
    [
      'multipart/form-data; boundary=X',
      '--X\r\nContent-Disposition: form-data; name="f"; filename="cut.txt"\r\n\r\nabc',
    ],
    [
      'multipart/form-data; boundary=X',
      '--X\r\nContent-Disposition: form-data; name="f"; filename="cut.exe"\r\n\r\nabc',
    ],
    ['multipart/form-data', 'x'],
  ])('that break off are refused in words: %s %j', async (type, body) => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const response = await fetch(`${server.origin}/api/sessions/${sessionId}/files`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 'invalid-input', message: 'This upload broke off or is none. Send it again.' } },
    ]);
    expect(await server.onDisk(sessionId)).toEqual([]);
  });

  it.each(names)('keep the name %j through listing and download', async (name) => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const entry = await server.uploadOne(sessionId, name, `content of ${name}`);
    expect(entry.name).toBe(name);
    const { items } = await server.app.api.files.list({ sessionId });
    expect(items).toEqual([entry]);
    const response = await server.download(sessionId, name);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(`content of ${name}`);
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? '')).toBe(name);
    // Nothing of the shown name lies on the disk.
    expect(await server.onDisk(sessionId)).toEqual([entry.id]);
  });

  it('keep a name that is sent apart, for the file behind it only', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const form = new FormData();
    const add = (name: string) => form.append('file', new Blob([name]), name);
    form.append('name', 'a%22b.txt');
    add('a%22b.txt');
    add('c%22d.txt');
    form.append('name', '../../"e".txt');
    add('other.txt');
    const response = await fetch(`${server.origin}/api/sessions/${sessionId}/files`, { method: 'POST', body: form });
    const { files } = (await response.json()) as UploadAnswer;
    expect(files.map(({ name }) => name)).toEqual(['a%22b.txt', 'c"d.txt', '"e".txt']);
    expect(await (await server.download(sessionId, 'a%22b.txt')).text()).toBe('a%22b.txt');
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['/../../../../../../../test.txt', 'test.txt'],
    ['../../../../tmp/evil.pdf', 'evil.pdf'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['C:\\Users\\me\\notes.txt', 'notes.txt'],
  ])('keep only the last part of %j', async (sent, kept) => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const entry = await server.uploadOne(sessionId, sent, 'x');
    expect(entry.name).toBe(kept);
    expect(await server.onDisk(sessionId)).toEqual([entry.id]);
  });

  it.each(['../.', '..', 'a/', 'tab\there.txt', 'nul\u0000.txt', `${'x'.repeat(256)}`])(
    'refuse the name %j in words',
    async (name) => {
      const server = getServer();
      const sessionId = await server.app.newSession();
      const answer = await server.upload(sessionId, [[name, 'x']]);
      expect(answer).toMatchObject({ status: 400, files: [], refused: [{ code: 'invalid-input' }] });
      expect(await server.onDisk(sessionId)).toEqual([]);
    },
  );

  it('give repeated names a number and keep the same bytes under two names', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { files } = await server.upload(sessionId, [
      ['a.txt', '1'],
      ['a.txt', '2'],
      ['a (1).txt', '3'],
      ['b.tar.gz', '1'],
      ['b.tar.gz', '1'],
    ]);
    expect(files.map((file) => file.name)).toEqual(['a.txt', 'a (1).txt', 'a (1) (1).txt', 'b.tar.gz', 'b (1).tar.gz']);
    expect(await (await server.download(sessionId, 'a (1).txt')).text()).toBe('2');
  });

  it('at once under one name all get a place of their own', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const contents = Array.from({ length: 12 }, () => randomBytes(50_000));
    const entries = await Promise.all(contents.map((content) => server.uploadOne(sessionId, 'same.bin', content)));
    expect(new Set(entries.map((entry) => entry.name)).size).toBe(12);
    for (const [index, entry] of entries.entries()) {
      const response = await server.download(sessionId, entry.name);
      expect(Buffer.from(await response.arrayBuffer()).equals(contents[index] ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it.each([
    ['program.exe', 'x'],
    ['RUN.SH', 'echo'],
    ['photo\u202egnp.exe', 'x'],
    ['trailing.exe. .', 'x'],
    ['stream.exe:a.txt', 'x'],
    ['innocent.txt', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0])],
    ['picture.png', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)])],
    ['notes', Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0])],
    ['fat', Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2, 1, 0, 0, 7])],
  ])('refuse the program %j by its name or its content', async (name, content) => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const answer = await server.upload(sessionId, [[name, content]]);
    expect(answer).toMatchObject({ status: 400, files: [], refused: [{ name, code: 'invalid-input' }] });
    expect(await server.onDisk(sessionId)).toEqual([]);
  });

  it('take text that only begins like a program, and scripts of the web', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { files } = await server.upload(sessionId, [
      ['mz.txt', 'MZ is how it begins'],
      ['code.ts', 'export const a = 1;'],
      ['code.js', '#!/usr/bin/env node\n'],
    ]);
    expect(files.map((file) => file.kind)).toEqual(['text', 'source', 'source']);
  });

  it('beyond the limit are refused, and what comes behind in the same request is stored', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const exact = randomBytes(1024 * 1024);
    const answer = await server.upload(sessionId, [
      ['large.bin', randomBytes(3 * 1024 * 1024)],
      ['one-over.bin', randomBytes(1024 * 1024 + 1)],
      ['exact.bin', exact],
      ['bad.exe', 'x'],
      ['last.txt', 'last'],
    ]);
    expect(answer.status).toBe(201);
    expect(answer.files.map((file) => file.name)).toEqual(['exact.bin', 'last.txt']);
    expect(answer.refused.map(({ name, code }) => [name, code])).toEqual([
      ['large.bin', 'too-large'],
      ['one-over.bin', 'too-large'],
      ['bad.exe', 'invalid-input'],
    ]);
    expect(Buffer.from(await (await server.download(sessionId, 'exact.bin')).arrayBuffer()).equals(exact)).toBe(true);
    expect((await server.onDisk(sessionId)).length).toBe(2);
    expect((await server.upload(sessionId, [['large.bin', randomBytes(2 * 1024 * 1024)]])).status).toBe(413);
  });

  it('that break off leave nothing behind', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const outgoing = request(`${server.origin}/api/sessions/${sessionId}/files`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 900_000 },
    });
    outgoing.on('error', () => {});
    outgoing.write('--b\r\ncontent-disposition: form-data; name="file"; filename="half.bin"\r\n\r\n');
    outgoing.write(randomBytes(300_000));
    await expect.poll(() => server.onDisk(sessionId), { interval: 20 }).toHaveLength(1);
    outgoing.destroy();
    await expect.poll(() => server.onDisk(sessionId), { interval: 20 }).toEqual([]);
    expect((await server.app.api.files.list({ sessionId })).items).toEqual([]);
  });

  it('for unknown and foreign sessions are refused alike, before a byte is stored', async () => {
    const server = getServer();
    const stranger = await createPerson(getDatabase());
    const foreign = (await server.app.as(stranger).sessions.create({})).id;
    for (const sessionId of [foreign, 'no-such-session', '..%2f..%2fetc']) {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'a.txt');
      const response = await fetch(`${server.origin}/api/sessions/${sessionId}/files`, { method: 'POST', body: form });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: { code: 'not-found', message: 'This chat does not exist or was deleted.' },
      });
    }
    expect(await server.onDisk(foreign)).toEqual([]);
  });

  it('from another origin are refused at the door', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'a.txt');
      const url = `${server.origin}/api/sessions/${sessionId}/files`;
      expect((await fetch(url, { method: 'POST', body: form, headers: { [name]: value } })).status).toBe(403);
    }
    expect(await server.onDisk(sessionId)).toEqual([]);
  });

  it('of nothing at all say so', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const url = `${server.origin}/api/sessions/${sessionId}/files`;
    expect((await fetch(url, { method: 'POST', body: new FormData() })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: 'text' })).status).toBe(400);
    const empty = await server.uploadOne(sessionId, 'empty.txt', '');
    expect(empty).toMatchObject({ sizeBytes: 0, kind: 'text' });
    expect(await (await server.download(sessionId, 'empty.txt')).text()).toBe('');
  });
});

describeEachEngine('pasted images', (getDatabase) => {
  const getServer = useFileServer(getDatabase);
  const picture = (format: 'png' | 'jpeg' | 'webp', shade: number) =>
    sharp({ create: { width: 40, height: 30, channels: 4, background: { r: shade, g: 0, b: 0, alpha: 0.5 } } })
      .toFormat(format)
      .toBuffer();

  it('are numbered across formats, named by their bytes, kept byte for byte, and once', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const png = await picture('png', 10);
    const jpeg = await picture('jpeg', 20);
    const webp = await picture('webp', 30);
    const first = await server.uploadOne(sessionId, 'image.png', png, '?as=image');
    // Mislabelled: a JPEG and a WebP that call themselves PNG.
    const second = await server.uploadOne(sessionId, 'image.png', jpeg, '?as=image');
    const third = await server.uploadOne(sessionId, 'shot.png', webp, '?as=image');
    const again = await server.uploadOne(sessionId, 'image.png', png, '?as=image');
    expect([first, second, third].map(({ name, mimeType, origin, kind }) => [name, mimeType, origin, kind])).toEqual([
      ['image_1.png', 'image/png', 'image', 'image'],
      ['image_2.jpg', 'image/jpeg', 'image', 'image'],
      ['image_3.webp', 'image/webp', 'image', 'image'],
    ]);
    expect(again).toEqual(first);
    expect(await server.onDisk(sessionId)).toHaveLength(3);
    for (const [name, bytes] of [
      ['image_1.png', png],
      ['image_2.jpg', jpeg],
    ] as const) {
      const response = await server.download(sessionId, name);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('pasted at once get numbers of their own', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const pictures = await Promise.all(Array.from({ length: 8 }, (_, shade) => picture('png', shade)));
    const entries = await Promise.all(
      pictures.map((bytes) => server.uploadOne(sessionId, 'x.png', bytes, '?as=image')),
    );
    expect(entries.map((entry) => entry.name).sort()).toEqual(pictures.map((_, index) => `image_${index + 1}.png`));
  });

  it('never take the number of one that was removed, in forks neither', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const paste = async (session: string, shade: number) =>
      server.uploadOne(session, 'x.png', await picture('png', shade), '?as=image');
    const [, second] = [await paste(sessionId, 1), await paste(sessionId, 2)];
    await server.app.api.files.remove({ sessionId, fileId: second.id });
    expect((await paste(sessionId, 3)).name).toBe('image_3.png');
    await server.app.send(sessionId, 'Hello');
    await server.app.untilIdle(sessionId);
    const third = (await server.app.api.files.list({ sessionId })).items[0];
    await server.app.api.files.remove({ sessionId, fileId: third?.id ?? '' });
    const fork = (await server.app.api.sessions.fork({ sessionId })).id;
    expect([(await paste(fork, 4)).name, (await paste(sessionId, 4)).name]).toEqual(['image_4.png', 'image_4.png']);
  });

  it('that are none are kept as files, and HEIC is refused in words', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const text = await server.uploadOne(sessionId, 'shot.png', 'not a picture', '?as=image');
    expect(text).toMatchObject({ name: 'shot.png', kind: 'text', origin: 'upload' });
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(200)]);
    const answer = await server.upload(sessionId, [['IMG_1.HEIC', heic]], '?as=image');
    expect(answer).toMatchObject({ status: 400, refused: [{ code: 'invalid-input' }] });
    expect(answer.refused[0]?.message).toContain('HEIC');
  });

  it('have a thumbnail that is made once', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const large = await sharp({ create: { width: 3000, height: 1000, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const entry = await server.uploadOne(sessionId, 'wide.png', large);
    const responses = await Promise.all(
      [1, 2, 3].map(() => server.download(sessionId, 'wide.png', { query: '?thumbnail=1' })),
    );
    for (const response of responses) {
      expect(response.headers.get('content-type')).toBe('image/webp');
      const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([width, height]).toEqual([640, 213]);
    }
    expect(await server.onDisk(sessionId)).toEqual([entry.id, `${entry.id}.thumb`]);
    await server.app.api.files.remove({ sessionId, fileId: entry.id });
    expect(await server.onDisk(sessionId)).toEqual([]);
  });

  it('that are damaged are shown as they are instead of a thumbnail', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const damaged = (await picture('png', 1)).subarray(0, 40);
    await server.uploadOne(sessionId, 'damaged.png', damaged);
    const response = await server.download(sessionId, 'damaged.png', { query: '?thumbnail=1' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
  });
});
