import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { anonymous, type Person } from '../../lib/person';
import { describeEachEngine } from '../../testing/database';
import { createPerson } from '../../testing/use-apps';
import { useFileServer } from './testing/file-server';

describeEachEngine('files of other chats, by guessed ids and names', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  /** A chat of somebody with a picture in it. */
  async function chatOf(person: Person) {
    const { app } = getServer();
    const sessionId = (await app.as(person).sessions.create({})).id;
    const png = await sharp({ create: { width: 5, height: 5, channels: 3, background: '#a00' } })
      .png()
      .toBuffer();
    const { files } = app.services;
    const file = await files.upload(person, sessionId, {
      sentName: 'x.png',
      source: Readable.from([png]),
      asImage: true,
    });
    return { sessionId, file };
  }

  it('are found on no way, be they of another person or of the same', async () => {
    const { app, origin, download } = getServer();
    const stranger = await createPerson(getDatabase());
    const [mine, foreign, beside] = [await chatOf(anonymous), await chatOf(stranger), await chatOf(anonymous)];
    await app.send(mine.sessionId, 'Hello');
    await app.untilIdle(mine.sessionId);
    const { token } = await app.api.shares.issue({ sessionId: mine.sessionId });

    const address = `${origin}/api/sessions/${foreign.sessionId}/files/${foreign.file.name}`;
    for (const query of ['', '?download', '?thumbnail=1']) {
      for (const method of ['GET', 'HEAD']) expect((await fetch(address + query, { method })).status, query).toBe(404);
    }
    const none = expect.objectContaining({ code: 'NOT_FOUND' });
    const { sessionId } = foreign;
    await expect(app.api.files.list({ sessionId })).rejects.toEqual(none);
    await expect(app.api.files.publish({ sessionId, fileId: foreign.file.id })).rejects.toEqual(none);
    await expect(app.api.files.remove({ sessionId, fileId: foreign.file.id })).rejects.toEqual(none);
    await expect(app.api.shares.issue({ sessionId })).rejects.toEqual(none);
    await expect(app.api.shares.check({ sessionId })).rejects.toEqual(none);

    for (const { file } of [foreign, beside]) {
      const own = { sessionId: mine.sessionId, fileId: file.id };
      expect((await download(mine.sessionId, file.id)).status).toBe(404);
      await expect(app.api.files.publish(own)).rejects.toEqual(none);
      await expect(app.api.files.remove(own)).rejects.toEqual(none);
      const send = { sessionId: mine.sessionId, clientMessageId: randomUUID(), text: 'Take it', fileIds: [file.id] };
      await expect(app.api.messages.send(send)).rejects.toEqual(none);
      for (const asThumbnail of [false, true]) {
        const answer = await fetch(`${origin}/api/shared/files`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token, fileId: file.id, asThumbnail }),
        });
        expect(answer.status).toBe(404);
      }
    }
    // Nothing of it happened.
    expect((await app.as(stranger).files.list({ sessionId })).items).toEqual([foreign.file]);
    expect((await app.api.files.list({ sessionId: beside.sessionId })).items).toEqual([beside.file]);
  });
});
