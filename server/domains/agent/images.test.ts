import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ModelServer,
  startOllamaServer,
  startOpenAiServer,
  status,
  text,
} from '../../../e2e/fixtures/model-servers';
import { systemClock } from '../../lib/clock';
import { createCallModel } from '../../providers/call-model';
import { createModelRegistry } from '../../providers/registry';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../../testing/database';
import { createScriptedModel } from '../../testing/scripted-model';
import { answer, prose, talk } from '../compression/testing/talk';
import { type FileServer, useFileServer } from '../files/testing/file-server';

/** Never the same bytes twice, so that nothing is reused. */
let shade = 0;
const picture = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif' = 'png') =>
  sharp({ create: { width, height, channels: 3, background: { r: shade++ % 256, g: width % 256, b: height % 256 } } })
    .toFormat(format)
    .toBuffer();

async function attach(server: FileServer, sessionId: string, pictures: BlobPart[]): Promise<string[]> {
  const ids: string[] = [];
  for (const bytes of pictures) ids.push((await server.uploadOne(sessionId, 'image.png', bytes, '?as=image')).id);
  return ids;
}

const send = (server: FileServer, sessionId: string, words: string, fileIds: string[]) =>
  server.app.api.messages.send({ sessionId, clientMessageId: randomUUID(), text: words, fileIds });

/** Text and images of the last message that a model was sent. */
function lastMessage(server: FileServer) {
  const { prompt } = server.app.model.calls.filter((call) => call.tools.length > 0).at(-1) ?? { prompt: [] };
  const message = prompt.at(-1);
  if (message?.role !== 'user') throw new Error('the prompt does not end in a user message');
  return {
    text: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: message.content.flatMap((part) => (part.type === 'file' ? [part] : [])),
  };
}

describeEachEngine('images of a message', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('reach the model byte for byte, each with its true type, and with a notice that no one stored', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    // Ready set: a PNG and a WebP under other names.
    const png = await picture(30, 20, 'png');
    const webp = await picture(30, 20, 'webp');
    const report = await server.uploadOne(sessionId, 'report.csv', 'a,b');
    await send(server, sessionId, 'Compare', [...(await attach(server, sessionId, [png, webp])), report.id]);
    await server.app.untilIdle(sessionId);
    const sent = lastMessage(server);
    expect(sent.text).toBe(
      [
        'Compare',
        `[Uploaded files on disk:\n- report.csv → session_files/${sessionId}/report.csv]`,
        `[2 images attached inline — already in your context, no extra loading needed.\nOn disk: session_files/${sessionId}/image_1.png, session_files/${sessionId}/image_2.webp]`,
      ].join('\n\n'),
    );
    expect(sent.images.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/webp']);
    expect(sent.images.map(({ data }) => Buffer.from(data as Uint8Array))).toEqual([png, webp]);
    const { messages } = await server.app.api.messages.page({ sessionId });
    expect(messages[0]?.content).toBe('Compare');
    expect(messages[0]?.metadata.imagesSent).toHaveLength(2);
    const exported = await server.app.api.sessions.export({ sessionId, format: 'json' });
    expect(exported.content).not.toContain('attached inline');
    expect(exported.content).not.toContain(png.toString('base64').slice(0, 40));
    const view = await server.app.api.debug.context({ sessionId });
    expect(view.messages[0]?.text).toContain('[2 images attached inline');
    expect(view.meter.breakdown.images).toBe(2 * 258);
  });

  it('are shown to the summariser that sums them up, and to none that sees no images', async () => {
    const server = getServer();
    const { model } = server.app;
    const said = talk(model, (call) => prose(`a${call}`, 500));
    const sessionId = await server.app.newSession();
    const png = await picture(30, 20, 'png');
    await send(server, sessionId, `Look ${prose('q', 500)}`, await attach(server, sessionId, [png]));
    await server.app.untilIdle(sessionId);
    for (let turn = 0; turn < 3; turn++) {
      await server.app.send(sessionId, prose(`q${turn}`, 500));
      await server.app.untilIdle(sessionId);
    }
    const picturesOf = (prompt: LanguageModelV3Prompt = []) =>
      prompt.flatMap(({ role, content }) => (role === 'user' ? content.filter((part) => part.type === 'file') : []));
    const result = await server.app.api.compression.run({ sessionId });
    if (result.kind !== 'compression') throw new Error(result.message);
    expect(picturesOf(said.summaryCalls[0]?.prompt).map(({ data }) => Buffer.from(data as Uint8Array))).toEqual([png]);
    await server.app.api.compression.undo({ sessionId, compressionId: result.compressionId });
    model.seesImages = false;
    expect((await server.app.api.compression.run({ sessionId })).kind).toBe('compression');
    expect(picturesOf(said.summaryCalls.at(-1)?.prompt)).toEqual([]);
  });

  it('beyond 0.8 of the window stay away, are named for image_view, and never compress or end the turn', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    // 1,026 tokens each in a window of 8,192; a small one behind them still fits.
    const large = await Promise.all(Array.from({ length: 9 }, () => picture(1024, 1024)));
    const ids = await attach(server, sessionId, [...large, await picture(100, 100)]);
    await send(server, sessionId, 'Look', ids);
    await server.app.untilIdle(sessionId);
    const sent = lastMessage(server);
    const { messages } = await server.app.api.messages.page({ sessionId });
    const { imagesSent = [], imagesWithheld = [] } = messages[0]?.metadata ?? {};
    expect(imagesSent.length).toBeGreaterThan(2);
    expect(imagesSent).toEqual([...ids.slice(0, imagesSent.length - 1), ids[9]]);
    expect(imagesWithheld.map(({ id, reason }) => [id, reason])).toEqual(
      ids.slice(imagesSent.length - 1, 9).map((id) => [id, 'no-room']),
    );
    expect(sent.images).toHaveLength(imagesSent.length);
    expect(sent.text).toContain(
      `[10 images attached inline — ${imagesSent.length} are in your context, the rest were not loaded;`,
    );
    expect(sent.text).toContain(`open them with image_view: session_files/${sessionId}/image_${imagesSent.length}.png`);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant']);
    // The next turn sends the same ones again and decides nothing anew.
    await server.app.send(sessionId, 'And now?');
    await server.app.untilIdle(sessionId);
    const again = await server.app.api.messages.page({ sessionId });
    expect(again.messages[0]?.metadata.imagesSent).toEqual(imagesSent);
  });

  /** Talks until an image of 1,026 tokens would go beyond what images may take, and compression is not due yet. */
  async function fill(server: FileServer, sessionId: string) {
    const said = talk(server.app.model, (call) => prose(`a${call}`, 1200));
    const { meter } = await server.app.api.debug.context({ sessionId });
    for (let turn = 0; ; turn++) {
      await server.app.send(sessionId, prose(`q${turn}`, 1200));
      await server.app.untilIdle(sessionId);
      const { contextTokenCount } = await server.app.api.sessions.get({ sessionId });
      if ((contextTokenCount ?? 0) > meter.triggerTokens - 1000) break;
    }
    expect(said.summaryCalls).toEqual([]);
    return said;
  }

  it('that only history keeps away are seen: it is compressed before they are decided on', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const said = await fill(server, sessionId);
    const ids = await attach(server, sessionId, [await picture(1024, 1024)]);
    const { message } = await send(server, sessionId, 'Look', ids);
    await server.app.untilIdle(sessionId);
    expect(said.summaryCalls).toHaveLength(1);
    expect(lastMessage(server).images).toHaveLength(1);
    const { messages } = await server.app.api.messages.page({ sessionId });
    const sent = messages.find(({ sequenceNumber }) => sequenceNumber === message?.sequenceNumber);
    expect(sent?.metadata).toMatchObject({ imagesSent: ids, imagesWithheld: [] });
  });

  it('that had no room are seen after a compression that made some, and not twice', async () => {
    const server = getServer();
    const { api } = server.app;
    const sessionId = await server.app.newSession();
    const said = await fill(server, sessionId);
    // This compression comes to nothing, and leaves the context as it was.
    said.summaries.push(answer(''), answer(''));
    const ids = await attach(server, sessionId, [await picture(1024, 1024)]);
    const { message } = await send(server, sessionId, 'Look', ids);
    await server.app.untilIdle(sessionId);
    const decided = async () => {
      const { messages } = await api.messages.page({ sessionId });
      return messages.find(({ sequenceNumber }) => sequenceNumber === message?.sequenceNumber)?.metadata;
    };
    expect(await decided()).toMatchObject({ imagesSent: [], imagesWithheld: [{ id: ids[0], reason: 'no-room' }] });
    expect(lastMessage(server).images).toEqual([]);
    expect((await api.compression.run({ sessionId })).kind).toBe('compression');
    await server.app.send(sessionId, 'And now?');
    await server.app.untilIdle(sessionId);
    expect(await decided()).toMatchObject({ imagesSent: ids, imagesWithheld: [] });
    const prompt = server.app.model.calls.filter((call) => call.tools.length > 0).at(-1)?.prompt ?? [];
    const pictures = prompt.flatMap(({ role, content }) =>
      role === 'user' ? content.filter((part) => part.type === 'file') : [],
    );
    expect(pictures).toHaveLength(1);
  });

  it('are scaled down where endpoints refuse their sides, more so in a crowd', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const [long] = await attach(server, sessionId, [await picture(8001, 10)]);
    await send(server, sessionId, 'One', [long ?? '']);
    await server.app.untilIdle(sessionId);
    const sizeOf = async (data: unknown) => sharp(Buffer.from(data as Uint8Array)).metadata();
    expect((await sizeOf(lastMessage(server).images[0]?.data)).width).toBe(8000);
    expect(Buffer.from(await (await server.download(sessionId, 'image_1.png')).arrayBuffer()).length).toBeGreaterThan(
      0,
    );
  });

  it.each(['gif', 'tiff', 'avif'] as const)(
    'of the format %s are converted for the model and stay as they are on disk',
    async (format) => {
      const server = getServer();
      const sessionId = await server.app.newSession();
      const bytes = await picture(40, 30, format);
      const [id] = await attach(server, sessionId, [bytes]);
      await send(server, sessionId, 'Look', [id ?? '']);
      await server.app.untilIdle(sessionId);
      expect(lastMessage(server).images.map(({ mediaType }) => mediaType)).toEqual([
        expect.stringMatching(/^image\/(png|jpeg)$/),
      ]);
      const { items } = await server.app.api.files.list({ sessionId });
      const stored = await server.download(sessionId, items[0]?.name ?? '');
      expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it('that cannot be read cost the turn nothing: the model and the person are told which and why', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const good = await picture(20, 20);
    const bmp = Buffer.from(
      '424d3a0000000000000036000000280000000100000001000000010018000000000004000000130b0000130b00000000000000000000ffffff00',
      'hex',
    );
    const [lost, kept, odd] = await attach(server, sessionId, [await picture(21, 21), good, bmp]);
    await rm(join(server.dataDir, 'session_files', sessionId, lost ?? ''));
    await send(server, sessionId, 'Look', [lost ?? '', kept ?? '', odd ?? '']);
    await server.app.untilIdle(sessionId);
    const sent = lastMessage(server);
    expect(sent.images).toHaveLength(1);
    expect(sent.text).toContain('[3 images attached inline — 1 are in your context, the rest were not loaded;');
    expect(sent.text).toMatch(/cannot be shown: session_files\/.*\/image_1\.png \(its file is gone\)/);
    expect(sent.text).toMatch(/image_3\.bmp \(this BMP picture cannot be converted; save it as PNG or JPEG\)/);
    const { messages } = await server.app.api.messages.page({ sessionId });
    expect(messages[0]?.metadata.imagesWithheld?.map(({ id, reason }) => [id, reason])).toEqual([
      [lost, 'unreadable'],
      [odd, 'unreadable'],
    ]);
    expect(messages[1]?.content).toBe('All right.');
  });

  it('are not sent to a model that sees nothing, and are once one that does takes over', async () => {
    const server = getServer();
    const { app } = server;
    const sessionId = await app.newSession();
    const ids = await attach(server, sessionId, [await picture(20, 20)]);
    app.model.seesImages = false;
    await send(server, sessionId, 'Look', ids);
    await app.untilIdle(sessionId);
    expect(lastMessage(server).images).toEqual([]);
    expect(lastMessage(server).text).toContain('[1 image attached, which you cannot see: this model takes text only.');
    app.model.seesImages = true;
    await app.api.messages.regenerate({ sessionId });
    await app.untilIdle(sessionId);
    expect(lastMessage(server).images).toHaveLength(1);
    expect(lastMessage(server).text).toContain('[1 image attached inline — already in your context');
  });

  it('and files that were removed since are named as such', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const file = await server.uploadOne(sessionId, 'plan.txt', 'a');
    const ids = await attach(server, sessionId, [await picture(20, 20)]);
    await send(server, sessionId, 'Look', [...ids, file.id]);
    await server.app.untilIdle(sessionId);
    for (const fileId of [...ids, file.id]) await server.app.api.files.remove({ sessionId, fileId });
    await server.app.api.messages.regenerate({ sessionId });
    await server.app.untilIdle(sessionId);
    expect(lastMessage(server).images).toEqual([]);
    expect(lastMessage(server).text).toContain('- plan.txt (removed since)');
    expect(lastMessage(server).text).toContain('image_1.png (removed since)');
  });

  it('that are SVG are files, as a script could hide in them', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    const drawing = await server.uploadOne(sessionId, 'drawing.svg', svg, '?as=image');
    const { message } = await send(server, sessionId, 'Look', [drawing.id]);
    expect([message?.images, message?.files?.map(({ kind }) => kind)]).toEqual([null, ['svg']]);
    await server.app.untilIdle(sessionId);
  });
});

describe.each(['openai', 'ollama'] as const)('the wire format of %s', (wire) => {
  let database: TestDatabase;
  let endpoint: ModelServer;
  const model = createScriptedModel();
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    const script = [[text('Seen.')]];
    if (wire === 'ollama') {
      const ollama = await startOllamaServer(script);
      ollama.setModels([{ name: 'qwen3', capabilities: ['completion', 'tools', 'thinking', 'vision'] }]);
      endpoint = ollama;
    } else endpoint = await startOpenAiServer(script);
    // The app closes it.
    model.models = createModelRegistry({
      ollamaBaseUrl: wire === 'ollama' ? endpoint.origin : 'http://127.0.0.1:9',
      openaiBaseUrl: wire === 'openai' ? `${endpoint.origin}/v1` : null,
      openaiApiKey: null,
      ollamaNumCtx: 131_072,
      openaiContextWindow: 131_072,
      defaultModel: wire === 'ollama' ? 'ollama/qwen3' : 'openai/gpt-test',
      clock: systemClock,
    });
    model.callModel = createCallModel({ clock: systemClock, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 });
  });
  afterEach(() => endpoint.close());
  const getServer = useFileServer(() => database, { model });

  /** What the endpoint got: the images of the last chat, decoded. */
  function imagesSent(): { type: string | null; bytes: Buffer }[] {
    const chat = endpoint.chats().findLast(({ messages }) => JSON.stringify(messages).includes('attached inline'));
    return (chat?.messages ?? []).flatMap((message) => {
      if (wire === 'ollama') {
        const images = (message.images ?? []) as string[];
        return images.map((data) => ({ type: null, bytes: Buffer.from(data, 'base64') }));
      }
      const parts = Array.isArray(message.content) ? (message.content as { image_url?: { url: string } }[]) : [];
      return parts.flatMap(({ image_url }) => {
        const match = /^data:([^;]+);base64,(.*)$/.exec(image_url?.url ?? '');
        return match === null ? [] : [{ type: match[1] ?? null, bytes: Buffer.from(match[2] ?? '', 'base64') }];
      });
    });
  }

  it('carries an image as it is stored, or as this endpoint reads it', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const png = await picture(50, 40, 'png');
    const ids = await attach(server, sessionId, [png, await picture(50, 40, 'webp')]);
    await send(server, sessionId, 'Look', ids);
    await server.app.untilIdle(sessionId);
    const [first, second] = imagesSent();
    expect(first?.bytes.equals(png)).toBe(true);
    // Ollama's older engines read PNG and JPEG alone.
    expect((await sharp(second?.bytes).metadata()).format).toBe(wire === 'ollama' ? 'jpeg' : 'webp');
    if (wire === 'openai') expect([first?.type, second?.type]).toEqual(['image/png', 'image/webp']);
  });

  it('answers without the images where the endpoint takes none, and tells the model and the person', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const refusal = 'this model does not support images';
    endpoint.setScript([
      [status(400, wire === 'ollama' ? { error: refusal } : { error: { message: refusal } })],
      [text('I cannot see it.')],
    ]);
    const [id] = await attach(server, sessionId, [await picture(50, 40)]);
    await send(server, sessionId, 'Look', [id ?? '']);
    await server.app.untilIdle(sessionId);
    const { messages } = await server.app.api.messages.page({ sessionId });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Look'],
      ['assistant', 'I cannot see it.'],
    ]);
    expect(messages[0]?.metadata).toMatchObject({ imagesSent: [], imagesWithheld: [{ id, reason: 'no-vision' }] });
    expect(JSON.stringify(endpoint.chats())).toContain('1 image attached, which you cannot see');
  });

  it('keeps the sides of more than twenty images below what the strictest endpoint takes', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const sizes: [number, number][] = [[2162, 322], [1170, 2532], ...Array<[number, number]>(20).fill([40, 30])];
    const pictures: BlobPart[] = [];
    for (const [width, height] of sizes) pictures.push(await picture(width, height));
    await send(server, sessionId, 'Look', await attach(server, sessionId, pictures));
    await server.app.untilIdle(sessionId);
    const images = imagesSent();
    expect(images).toHaveLength(22);
    for (const { bytes } of images) {
      const { width, height } = await sharp(bytes).metadata();
      expect(Math.max(width, height)).toBeLessThanOrEqual(2000);
    }
  });
});
