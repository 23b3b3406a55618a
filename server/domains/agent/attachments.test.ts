import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../testing/database';
import { createGate, sayAround } from '../../testing/scripted-model';
import { transcript } from '../../testing/use-apps';
import { useFileServer } from '../files/testing/file-server';

const png = () =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();

describeEachEngine('messages with files', (getDatabase) => {
  const getServer = useFileServer(getDatabase);
  const send = (sessionId: string, text: string, fileIds: string[]) =>
    getServer().app.api.messages.send({ sessionId, clientMessageId: randomUUID(), text, fileIds });

  it('name images and other files apart, in the order of sending', async () => {
    const { app, uploadOne } = getServer();
    const sessionId = await app.newSession();
    const report = await uploadOne(sessionId, 'report.csv', 'a,b');
    const notes = await uploadOne(sessionId, 'notes.md', '# Notes');
    const shot = await uploadOne(sessionId, 'image.png', await png(), '?as=image');
    const { message } = await send(sessionId, '', [shot.id, notes.id, report.id, notes.id]);
    expect(message?.files).toEqual([
      { id: notes.id, name: 'notes.md', kind: 'markdown', mimeType: 'text/markdown', sizeBytes: 7 },
      { id: report.id, name: 'report.csv', kind: 'csv', mimeType: 'text/csv', sizeBytes: 3 },
    ]);
    expect(message?.images).toMatchObject([{ id: shot.id, name: 'image_1.png', kind: 'image', width: 20, height: 10 }]);
    await app.untilIdle(sessionId);
    const page = await app.api.messages.page({ sessionId });
    expect(page.messages[0]).toMatchObject({ files: message?.files, images: message?.images });
  });

  it('are refused when a file is unknown or of another chat, and nothing is stored', async () => {
    const { app, uploadOne } = getServer();
    const sessionId = await app.newSession();
    const own = await uploadOne(sessionId, 'a.txt', 'a');
    const foreign = await uploadOne(await app.newSession(), 'b.txt', 'b');
    for (const fileId of [foreign.id, 'unknown']) {
      await expect(send(sessionId, 'Look', [own.id, fileId])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await transcript(app, sessionId)).toEqual([]);
    expect((await app.api.sessions.get({ sessionId })).runState).toBe('idle');
  });

  it('that waited go out with their files, and without those that were removed meanwhile', async () => {
    const { app, uploadOne } = getServer();
    const sessionId = await app.newSession();
    const kept = await uploadOne(sessionId, 'kept.txt', 'a');
    const removed = await uploadOne(sessionId, 'removed.txt', 'b');
    const gate = createGate();
    app.model.replies.push(sayAround('One', gate, '.'));
    await app.send(sessionId, 'First');
    await gate.reached;
    await send(sessionId, 'Second', [kept.id, removed.id]);
    await expect(send(sessionId, 'Third', ['unknown'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await app.api.files.remove({ sessionId, fileId: removed.id });
    gate.open();
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    expect(messages.map((message) => [message.content, message.files?.map((file) => file.name) ?? null])).toEqual([
      ['First', null],
      ['One.', null],
      ['Second', ['kept.txt']],
      ['All right.', null],
    ]);
  });

  it('keep them when they are edited and sent again', async () => {
    const { app, uploadOne } = getServer();
    const sessionId = await app.newSession();
    const file = await uploadOne(sessionId, 'a.txt', 'a');
    const { message } = await send(sessionId, 'Look', [file.id]);
    await app.untilIdle(sessionId);
    const edited = await app.api.messages.editAndResend({
      sessionId,
      sequenceNumber: message?.sequenceNumber ?? 0,
      clientMessageId: randomUUID(),
      text: 'Look again',
    });
    expect(edited.message?.files).toEqual(message?.files);
    await app.untilIdle(sessionId);
  });
});
