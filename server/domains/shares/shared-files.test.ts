import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createUnitOfWork } from '../../database/transaction';
import { describeEachEngine } from '../../testing/database';
import { say } from '../../testing/scripted-model';
import { useFileServer } from '../files/testing/file-server';
import type { MessageDraft } from '../messages/stored-message';

describeEachEngine('what the token of a share opens over HTTP', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  const png = (shade: number) =>
    sharp({ create: { width: 3, height: 2, channels: 3, background: { r: shade, g: 0, b: 0 } } })
      .png()
      .toBuffer();
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${getServer().origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const open = (token: string, fileId: string, headers?: Record<string, string>) =>
    post('/api/shared/files', { token, fileId }, headers);
  const upload = async (sessionId: string, name: string, content: Buffer | string, query = '') =>
    getServer().uploadOne(sessionId, name, typeof content === 'string' ? content : new Uint8Array(content), query);

  async function send(sessionId: string, text: string, fileIds: string[]) {
    const { app } = getServer();
    app.model.replies.push(say('I see.'));
    await app.api.messages.send({ sessionId, clientMessageId: text, text, fileIds });
    await app.untilIdle(sessionId);
  }
  async function add(sessionId: string, drafts: MessageDraft[]) {
    await createUnitOfWork(getDatabase()).run((tx) => getServer().app.services.messages.append(tx, sessionId, drafts));
  }

  it('gives what no browser draws as a small rendition that all do, on request', async () => {
    const { app } = getServer();
    const sessionId = await app.newSession();
    const tiff = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#2a7' } })
      .tiff()
      .toBuffer();
    const image = await upload(sessionId, 'scan.tiff', tiff, '?as=image');
    const notes = await upload(sessionId, 'notes.txt', 'for the agent only');
    await send(sessionId, 'Look', [image.id, notes.id]);
    const { token } = await app.api.shares.issue({ sessionId });
    const drawn = await post('/api/shared/files', { token, fileId: image.id, asThumbnail: true });
    expect(drawn.headers.get('content-type')).toBe('image/webp');
    expect((await sharp(Buffer.from(await drawn.arrayBuffer())).metadata()).width).toBe(30);
    const asStored = await open(token, image.id);
    expect(Buffer.from(await asStored.arrayBuffer()).equals(tiff)).toBe(true);
    expect((await post('/api/shared/files', { token, fileId: notes.id, asThumbnail: true })).status).toBe(404);
  });

  it('gives images of displayed messages and published artifacts, byte for byte, and nothing else', async () => {
    const { app } = getServer();
    const sessionId = await app.newSession();
    const bytes = await png(200);
    const image = await upload(sessionId, 'cat.png', bytes, '?as=image');
    const attached = await upload(sessionId, 'notes.txt', 'for the agent only');
    const unsent = await upload(sessionId, 'draft.png', await png(100), '?as=image');
    const page = await upload(sessionId, 'report.html', '<h1>Report</h1><script>alert(1)</script>');
    const handed = await upload(sessionId, 'data.csv', 'a,b');
    await send(sessionId, 'Look', [image.id, attached.id]);
    const artifact = (file: typeof page, mode: 'published' | 'shared') => ({
      artifact: { ...file, mode, title: null },
    });
    await add(sessionId, [
      { role: 'tool', name: 'content_publish', toolCallId: 'a', content: 'ok', metadata: artifact(page, 'published') },
      { role: 'tool', name: 'share_file', toolCallId: 'b', content: 'ok', metadata: artifact(handed, 'shared') },
      // Hidden, and from somebody who is no tool: neither opens anything.
      {
        role: 'tool',
        name: 'x',
        toolCallId: 'c',
        content: '',
        isDisplay: false,
        metadata: artifact(unsent, 'published'),
      },
      { role: 'user', content: 'x', metadata: artifact(unsent, 'published') },
    ]);
    const { token } = await app.api.shares.issue({ sessionId });
    const { page: shown } = await app.api.shares.view({ token });
    expect(shown.messages.find((message) => message.content === 'Look')).toMatchObject({
      images: [{ id: image.id, name: image.name, kind: 'image', sizeBytes: bytes.length }],
      files: [{ id: null, name: 'notes.txt' }],
    });

    const picture = await open(token, image.id);
    expect(picture.status).toBe(200);
    expect(Buffer.from(await picture.arrayBuffer()).equals(bytes)).toBe(true);
    const document = await open(token, page.id);
    expect(await document.text()).toContain('Report');
    for (const answer of [picture, document]) {
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(answer.headers.get('x-robots-tag')).toContain('noindex');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }

    const gone = await open('x'.repeat(43), image.id);
    expect(gone.status).toBe(404);
    const words = await gone.text();
    for (const fileId of [
      attached.id,
      unsent.id,
      handed.id,
      'nothing',
      '../../etc/passwd',
      'a\u0000b',
      '%',
      "' OR 1=1",
    ]) {
      const answer = await open(token, fileId);
      expect([answer.status, await answer.text()]).toEqual([404, words]);
    }
  });

  it('are looked through for secrets before there is one, where they are text', async () => {
    const { app } = getServer();
    const sessionId = await app.newSession();
    const secret = 'password=hunter2x';
    const files = [
      await upload(sessionId, 'page.html', `<script>const login = "${secret}";</script>`),
      await upload(sessionId, 'utf16.csv', Buffer.from(`\ufeffa,b\n${secret},1\n`, 'utf16le')),
      await upload(sessionId, 'long.txt', `${'all is well \n'.repeat(90_000)}${secret}`),
      await upload(sessionId, 'plot.png', await png(3)),
      await upload(sessionId, 'clean.md', '# Nothing'),
      await upload(sessionId, 'gone.txt', secret),
      await upload(sessionId, 'handed.txt', secret),
    ];
    const draft = (file: (typeof files)[number], mode: 'published' | 'shared' = 'published'): MessageDraft => ({
      role: 'tool',
      name: 'content_publish',
      toolCallId: file.id,
      content: 'ok',
      metadata: { artifact: { ...file, mode, title: null } },
    });
    await add(sessionId, [
      { role: 'user', content: 'Make them' },
      ...files.map((file) => draft(file, file.name === 'handed.txt' ? 'shared' : 'published')),
      // A second time: still one file.
      ...files.slice(0, 1).map((file) => draft(file)),
    ]);
    await app.api.files.remove({ sessionId, fileId: files[5]?.id ?? '' });
    const result = await app.api.shares.check({ sessionId });
    expect(result.findings.map(({ sequenceNumber, place }) => [sequenceNumber, place])).toEqual([
      [9, 'artifact'],
      [3, 'artifact'],
    ]);
    expect(JSON.stringify(result.findings)).not.toContain('hunter');
    expect(result).toMatchObject({ isComplete: true, checkedMessages: 9, uncheckedFiles: 2 });
  });

  it('gives a fork’s images by the fork’s own link, and what was only shown behind it by none', async () => {
    const { app } = getServer();
    const sessionId = await app.newSession();
    const before = await upload(sessionId, 'a.png', await png(40), '?as=image');
    const behind = await upload(sessionId, 'b.png', await png(50), '?as=image');
    await send(sessionId, 'Before', [before.id]);
    const { messages } = await app.api.messages.page({ sessionId });
    await send(sessionId, 'Behind', [behind.id]);
    const sequenceNumber = messages.at(-1)?.sequenceNumber ?? 0;
    const fork = (await app.api.sessions.fork({ sessionId, sequenceNumber })).id;
    const { token } = await app.api.shares.issue({ sessionId: fork });
    expect((await open(token, before.id)).status).toBe(200);
    // It lies in the fork as well, where no message shows it.
    expect((await app.api.files.list({ sessionId: fork })).items.map(({ id }) => id)).toContain(behind.id);
    expect((await open(token, behind.id)).status).toBe(404);
  });

  it('gives no file of another session, whatever the message says', async () => {
    const { app } = getServer();
    const other = await app.newSession();
    const secret = await upload(other, 'secret.png', await png(1), '?as=image');
    await send(other, 'Mine', [secret.id]);
    const sessionId = await app.newSession();
    // As if a message named a file that is not its session's.
    await add(sessionId, [{ role: 'user', content: 'x', images: [{ ...secret, kind: 'image' }] }]);
    const { token } = await app.api.shares.issue({ sessionId });
    expect((await open(token, secret.id)).status).toBe(404);
  });

  it('gives nothing of what left the transcript: another branch, a removed file, a deleted chat', async () => {
    const { app } = getServer();
    const sessionId = await app.newSession();
    const page = await upload(sessionId, 'report.html', '<h1>Report</h1>');
    await send(sessionId, 'First', []);
    const metadata = { artifact: { ...page, mode: 'published', title: null } };
    await add(sessionId, [{ role: 'tool', name: 'content_publish', toolCallId: 'a', content: 'ok', metadata }]);
    const { token } = await app.api.shares.issue({ sessionId });
    expect((await open(token, page.id)).status).toBe(200);
    app.model.replies.push(say('Another answer.'));
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    expect((await open(token, page.id)).status).toBe(404);

    const second = await upload(sessionId, 'b.png', await png(20), '?as=image');
    const third = await upload(sessionId, 'c.png', await png(30), '?as=image');
    await send(sessionId, 'Two more', [second.id, third.id]);
    expect((await open(token, second.id)).status).toBe(200);
    await app.api.files.remove({ sessionId, fileId: second.id });
    expect((await open(token, second.id)).status).toBe(404);
    expect((await open(token, third.id)).status).toBe(200);
    await app.api.sessions.remove({ sessionId });
    expect((await open(token, third.id)).status).toBe(404);
  });

  it('asks for the token in a body, from our own pages, and lets nobody keep an answer', async () => {
    const { app, origin } = getServer();
    const sessionId = await app.newSession();
    await send(sessionId, 'Hello', []);
    const { token } = await app.api.shares.issue({ sessionId });
    const answer = await post('/trpc/shares.view', { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    expect(answer.headers.get('set-cookie')).toBeNull();
    const asked = await fetch(`${origin}/trpc/shares.view?input=${encodeURIComponent(JSON.stringify({ token }))}`);
    expect(asked.status).toBe(405);
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) {
      expect((await post('/trpc/shares.view', { token }, headers)).status).toBe(403);
      expect((await open(token, 'x', headers)).status).toBe(403);
    }
    const early = await post('/api/shared/view', { token });
    expect(early.headers.get('cache-control')).toBe('private, no-store');
    expect(await early.json()).toEqual({ view: await app.api.shares.view({ token }), html: '' });
    expect((await post('/api/shared/view', {})).status).toBe(400);
    expect((await post('/api/shared/files', { token })).status).toBe(400);
    expect((await fetch(`${origin}/api/shared/files`)).status).toBe(404);
    // Unknown, mistyped, deleted: one answer, with nothing in it that tells which.
    const bodyOf = async (of: string) => {
      const refused = await Promise.all(
        ['/trpc/shares.view', '/api/shared/view'].map((path) => post(path, { token: of })),
      );
      return Promise.all(refused.map(async (answer) => `${answer.status} ${await answer.text()}`));
    };
    const unknown = await bodyOf('x'.repeat(43));
    for (const answer of unknown) expect(answer).toMatch(/^404 /);
    await app.api.sessions.remove({ sessionId });
    expect(await bodyOf(token)).toEqual(unknown);
    expect(await bodyOf('')).toEqual(unknown);
  });
});
