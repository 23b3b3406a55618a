import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../testing/database';
import { useFileServer } from '../files/testing/file-server';

const lines: string[] = [];
const log = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});

describeEachEngine('what the server writes down', (getDatabase) => {
  const getServer = useFileServer(getDatabase, { logger: pino({ level: 'trace' }, log) });

  it('holds no token of a share and no name of a file, whatever goes wrong with them', async () => {
    lines.length = 0;
    const { app, ...server } = getServer();
    const sessionId = await app.newSession();
    const secret = 'dismissal-of-Ms-Doe';
    const image = await server.uploadOne(
      sessionId,
      `${secret}.png`,
      await sharp({ create: { width: 4, height: 4, channels: 3, background: '#00a' } })
        .png()
        .toBuffer(),
    );
    await server.upload(sessionId, [[`${secret}.exe`, 'x']]);
    await server.download(sessionId, `${secret}.nothing`);
    // Its bytes are gone: the run is told, and so is the operator.
    await rm(join(server.dataDir, 'session_files', sessionId, image.id));
    await server.download(sessionId, image.name);
    await app.api.messages.send({ sessionId, clientMessageId: randomUUID(), text: 'Look', fileIds: [image.id] });
    await app.untilIdle(sessionId);
    const { token } = await app.api.shares.issue({ sessionId });
    const post = (path: string, body: unknown) =>
      fetch(`${server.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post('/trpc/shares.view', { token })).status).toBe(200);
    for (const fileId of [image.id, 'unknown', 'a\u0000b']) {
      expect((await post('/api/shared/files', { token, fileId })).status).toBe(404);
    }
    await post('/trpc/shares.messages', { token, beforeSeq: -1 });
    await app.api.sessions.remove({ sessionId });
    await post('/trpc/shares.view', { token });
    const written = lines.join('');
    // That something is written at all shows that the test looks in the right place.
    expect(written).toContain('agent.image_read_failed');
    expect(written).toContain(image.id);
    expect(written).not.toContain(secret);
    expect(written).not.toContain(token);
  });
});
