/** A chat's files in the hands of its agent. Over 400 lines because its three suites call the same tools in the same way, and nothing else does. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { systemClock } from '../../lib/clock';
import { samplePdf } from '../../providers/demo/scenarios/sample-files';
import { describeEachEngine } from '../../testing/database';
import { callTools } from '../../testing/scripted-model';
import { createSessionFolder } from '../files/session-folder';
import { type FileServer, useFileServer } from '../files/testing/file-server';
import { createWorkspace } from '../files/workspace/workspace';
import { executeToolCall } from './tools/execute-tool-call';
import { createFilePlaces } from './tools/file-places';
import { createFileTools } from './tools/file-tools';
import { createImageViewTool } from './tools/image-view-tool';
import { createRunCommandTool } from './tools/run-command/run-command-tool';
import { createShareTools } from './tools/share-tools';

/** The tools of one chat, called as the agent calls them. */
function toolsOf(server: FileServer, sessionId: string, { roots = [] as string[], maxBytes = 1_000_000 } = {}) {
  const { files, sessions } = server.app.services;
  const workspace = createWorkspace({ dataDir: server.dataDir });
  const shared = { workspace, sessionFolder: createSessionFolder(files), places: createFilePlaces(sessions) };
  const tools = [
    ...createFileTools(shared),
    ...createShareTools({ ...shared, files, roots, maxBytes }),
    createImageViewTool({ ...shared, files }),
    createRunCommandTool(shared),
  ];
  return {
    workspace: workspace.forOwner('anonymous'),
    call: (name: string, args: Record<string, unknown>) =>
      executeToolCall({
        call: { name, arguments: args, malformed: null },
        tools,
        context: {
          sessionId,
          userId: 'anonymous',
          runId: 'r',
          epoch: null,
          toolCallId: 'c',
          signal: new AbortController().signal,
          reportProgress: () => {},
        },
        clock: systemClock,
      }),
  };
}

describeEachEngine('file tools on the files of a chat', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('list, read, search and write them by their shown names', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { call } = toolsOf(server, sessionId);
    expect((await call('list_files', { path: 'session_files' })).text).toBe('This chat has no files yet.');
    await server.uploadOne(sessionId, 'Расчет.txt', 'first\nneedle here');
    const path = `session_files/${sessionId}/Расчет.txt`;
    for (const folder of ['session_files', `session_files/${sessionId}/`, undefined]) {
      expect((await call('list_files', folder === undefined ? {} : { path: folder })).text).toContain(path);
    }
    for (const asked of [path, 'session_files/Расчет.txt', `./${path}`]) {
      expect((await call('read_file', { path: asked })).text).toContain('first\nneedle here');
    }
    expect((await call('search_files', { query: 'NEEDLE' })).text).toBe(`${path}:2: needle here`);
    expect((await call('search_files', { query: 'расчет', path: 'session_files' })).text).toContain(`- ${path}`);
    const written = await call('write_file', { path: 'session_files/new.md', content: '# New' });
    expect(written.text).toBe(`Created session_files/${sessionId}/new.md (5 bytes).`);
    await call('write_file', { path: 'session_files/new.md', content: '\nmore', mode: 'append' });
    expect((await call('write_file', { path: 'session_files/new.md', content: 'x', mode: 'create' })).status).toBe(
      'failed',
    );
    expect(await (await server.download(sessionId, 'new.md')).text()).toBe('# New\nmore');
    const { items } = await server.app.api.files.list({ sessionId });
    expect(items.map(({ name, origin, kind }) => [name, origin, kind])).toEqual([
      ['new.md', 'agent', 'markdown'],
      ['Расчет.txt', 'upload', 'text'],
    ]);
    expect(await server.onDisk(sessionId)).toHaveLength(2);
  });

  it('reach no other chat and nothing outside, whatever the path', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const other = await server.app.newSession();
    await server.uploadOne(other, 'secret.txt', 'secret');
    const { call } = toolsOf(server, sessionId);
    for (const path of [
      `session_files/${other}/secret.txt`,
      `session_files/../session_files/${other}/secret.txt`,
      'session_files/../../etc/passwd',
      `session_files/${sessionId}/../${other}/secret.txt`,
      `session_files/${sessionId}/sub/x.txt`,
      'session_files/',
    ]) {
      const result = await call('read_file', { path });
      expect([path, result.status]).toEqual([path, 'failed']);
      expect(result.text).not.toContain('root:');
    }
    expect((await call('search_files', { query: 'secret' })).text).not.toContain('secret.txt');
    expect((await call('write_file', { path: 'session_files/../x.txt', content: 'x' })).status).toBe('failed');
    expect((await call('write_file', { path: 'session_files/run.exe', content: 'x' })).status).toBe('failed');
    expect((await call('write_file', { path: 'session_files/script.py', content: 'print(1)' })).status).toBe('done');
  });

  it('are read by a subagent of the chat, and not by a chat beside it', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const child = (await server.app.api.sessions.create({ parentId: sessionId })).id;
    await server.uploadOne(sessionId, 'brief.txt', 'the brief');
    const path = `session_files/${sessionId}/brief.txt`;
    expect((await toolsOf(server, child).call('read_file', { path })).text).toContain('the brief');
    const beside = await server.app.newSession();
    expect((await toolsOf(server, beside).call('read_file', { path })).status).toBe('failed');
  });

  it('are read by a chat that its subagent worked for, and by no subagent beside it', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const [child, sibling] = [
      (await server.app.api.sessions.create({ parentId: sessionId })).id,
      (await server.app.api.sessions.create({ parentId: sessionId })).id,
    ];
    await toolsOf(server, child).call('write_file', { path: 'session_files/found.md', content: 'what I found' });
    const path = `session_files/${child}/found.md`;
    const { call } = toolsOf(server, sessionId);
    expect((await call('list_files', { path: `session_files/${child}` })).text).toContain(path);
    expect((await call('read_file', { path })).text).toContain('what I found');
    expect((await toolsOf(server, sibling).call('read_file', { path })).status).toBe('failed');
    // A card asks its own chat for the bytes: they must be there.
    expect((await call('content_publish', { path })).text).toContain('share_file first');
    const shared = await call('share_file', { source: path });
    const { items } = await server.app.api.files.list({ sessionId });
    expect(shared.metadata.artifact).toMatchObject({ id: items[0]?.id, name: 'found.md' });
    expect(await (await server.download(sessionId, 'found.md')).text()).toBe('what I found');
    expect((await call('content_publish', { path: 'found.md' })).status).toBe('done');
    // What is no session at all is the name of a file.
    expect((await call('read_file', { path: 'session_files/no\u0000thing' })).status).toBe('failed');
  });

  it('are handed on and looked at by a subagent that was given them', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const child = (await server.app.api.sessions.create({ parentId: sessionId })).id;
    await server.uploadOne(child, 'brief.txt', 'a namesake');
    const bytes = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#00a' } })
      .png()
      .toBuffer();
    await server.uploadOne(sessionId, 'brief.txt', 'the brief');
    await server.uploadOne(sessionId, 'image.png', bytes as BlobPart, '?as=image');
    const { call } = toolsOf(server, child);
    const shared = await call('share_file', { source: `session_files/${sessionId}/brief.txt` });
    expect(shared.text).toContain(`session_files/${child}/brief (1).txt`);
    expect(await (await server.download(child, 'brief (1).txt')).text()).toBe('the brief');
    for (const _ of [1, 2]) {
      const seen = await call('image_view', { path: `session_files/${sessionId}/image_1.png` });
      expect([seen.status, seen.text]).toEqual(['done', `session_files/${child}/image_1.png, 9 × 7 pixels`]);
    }
    const { items } = await server.app.api.files.list({ sessionId: child });
    expect(items.map(({ name }) => name).sort()).toEqual(['brief (1).txt', 'brief.txt', 'image_1.png']);
    expect((await server.app.api.files.list({ sessionId })).items).toHaveLength(2);
  });

  it('lie beside a command that asks for them, and only while it runs', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const file = await server.uploadOne(sessionId, 'Отчёт 1.csv', 'a,b\n1,2\n');
    const other = await server.app.newSession();
    await server.uploadOne(other, 'secret.txt', 'secret');
    const { call, workspace } = toolsOf(server, sessionId);
    const path = `session_files/${sessionId}/Отчёт 1.csv`;
    const command = 'echo "$FILES" > where; tail -n 1 "$FILES/Отчёт 1.csv"; echo x >> "$FILES/Отчёт 1.csv"';
    const done = await call('run_command', { command, files: [path] });
    expect([done.status, done.text]).toEqual(['done', 'Exit code 0.\n1,2']);
    const where = (await workspace.readText('where')).text.trim();
    expect(where.startsWith(await workspace.ensure())).toBe(true);
    expect(existsSync(where)).toBe(false);
    expect(await (await server.download(sessionId, file.name)).text()).toBe('a,b\n1,2\n');
    for (const files of [[`session_files/${other}/secret.txt`], ['where'], [path, `./${path}`], ['session_files/no']]) {
      expect([files, (await call('run_command', { command: 'true', files })).status]).toEqual([files, 'failed']);
    }
    expect(await readdir(await workspace.ensure())).toEqual(['where']);
  });

  it('give the text of documents', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { call } = toolsOf(server, sessionId);
    // Known by its content, whatever it is called.
    await server.uploadOne(sessionId, 'report.bin', samplePdf(['A short report', 'Second line']));
    const read = await call('read_file', { path: 'session_files/report.bin' });
    expect(read.text).toContain('[Page 1 of 1]\nA short report\nSecond line');
  });
});

describeEachEngine('sharing by the agent', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('copies a file of the workspace into the chat and tells of it', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { call, workspace } = toolsOf(server, sessionId);
    await workspace.writeText('out/result.csv', 'a,b\n');
    const absolute = join(await workspace.ensure(), 'out/result.csv');
    const shared = await call('share_file', { source: absolute, title: 'The numbers' });
    expect(shared.status).toBe('done');
    const [entry] = (await server.app.api.files.list({ sessionId })).items;
    expect(shared.metadata.artifact).toEqual({
      id: entry?.id,
      name: 'result.csv',
      kind: 'csv',
      mimeType: 'text/csv',
      sizeBytes: 4,
      mode: 'shared',
      title: 'The numbers',
    });
    expect(entry?.isPublished).toBe(false);
    // A copy: what becomes of the source changes nothing.
    await workspace.writeText('out/result.csv', 'changed');
    expect(await (await server.download(sessionId, 'result.csv')).text()).toBe('a,b\n');
    expect((await call('share_file', { source: 'out/result.csv' })).text).toContain('result (1).csv');
  });

  it('refuses what lies outside, links included, what is too large, and what is no file', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const outside = await mkdtemp(join(tmpdir(), 'navi-outside-'));
    try {
      await writeFile(join(outside, 'secret.txt'), 'secret');
      await writeFile(join(server.dataDir, 'private.txt'), 'private');
      const { call, workspace } = toolsOf(server, sessionId, { maxBytes: 100 });
      const home = await workspace.ensure();
      await symlink(join(outside, 'secret.txt'), join(home, 'link.txt'));
      await symlink(outside, join(home, 'folder'));
      await writeFile(join(home, 'large.bin'), Buffer.alloc(101));
      await mkdir(`${home}-beside`);
      await writeFile(join(`${home}-beside`, 'x.txt'), 'x');
      for (const source of [
        '/etc/passwd',
        join(outside, 'secret.txt'),
        join(home, 'link.txt'),
        join(home, 'folder', 'secret.txt'),
        join(home, '..', '..', 'private.txt'),
        join(`${home}-beside`, 'x.txt'),
        join(home, 'large.bin'),
        home,
        join(home, 'missing.txt'),
        'link.txt',
      ]) {
        const result = await call('share_file', { source });
        expect([source, result.status]).toEqual([source, 'failed']);
      }
      expect((await server.app.api.files.list({ sessionId })).items).toEqual([]);
      const allowed = toolsOf(server, sessionId, { roots: [outside] });
      expect((await allowed.call('share_file', { source: join(outside, 'secret.txt') })).status).toBe('done');
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('takes an absolute path into the folder of the chat, and into that of no other', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const other = await server.app.newSession();
    const file = await server.uploadOne(sessionId, 'Отчёт.txt', 'mine');
    const foreign = await server.uploadOne(other, 'secret.txt', 'secret');
    const { call, workspace } = toolsOf(server, sessionId);
    const folder = join(server.dataDir, 'session_files');
    await symlink(join(folder, sessionId, file.id), join(await workspace.ensure(), 'link'));
    const temporary = '.navi-00000000-0000-4000-8000-000000000000.tmp';
    await writeFile(join(folder, sessionId, temporary), 'half of an upload');
    for (const source of [
      join(folder, sessionId, file.id),
      join(folder, sessionId, 'Отчёт.txt'),
      join(await workspace.ensure(), 'link'),
    ]) {
      const shared = await call('share_file', { source });
      expect([source, shared.status, shared.metadata.artifact]).toEqual([
        source,
        'done',
        expect.objectContaining({ id: file.id, name: 'Отчёт.txt' }),
      ]);
    }
    for (const source of [
      join(folder, other, foreign.id),
      join(folder, other, 'secret.txt'),
      join(folder, sessionId, '..', other, foreign.id),
      join(folder, sessionId, temporary),
      join(folder, sessionId, 'missing.txt'),
      join(folder, sessionId),
    ]) {
      expect([source, (await call('share_file', { source })).status]).toEqual([source, 'failed']);
    }
    expect((await server.app.api.files.list({ sessionId })).items).toHaveLength(1);
  });

  it('publishes a file that is there, copies nothing, and says what to do when it is not', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { call } = toolsOf(server, sessionId);
    await call('write_file', { path: 'session_files/page.html', content: '<!doctype html><p>Hi' });
    for (const path of ['page.html', 'session_files/page.html', `session_files/${sessionId}/page.html`]) {
      const { status, metadata } = await call('content_publish', { path, title: 'A page' });
      expect([status, metadata.artifact]).toEqual([
        'done',
        expect.objectContaining({ name: 'page.html', kind: 'html', mode: 'published', title: 'A page' }),
      ]);
    }
    expect((await server.app.api.files.list({ sessionId })).items).toMatchObject([{ isPublished: true }]);
    expect(await server.onDisk(sessionId)).toHaveLength(1);
    expect((await call('content_publish', { path: 'missing.html' })).text).toContain('use share_file');
  });

  it('stands on the tool message of a run', async () => {
    const server = getServer();
    const { app } = server;
    const sessionId = await app.newSession();
    const file = await server.uploadOne(sessionId, 'data.csv', 'a');
    app.model.replies.push(callTools({ name: 'content_publish', arguments: { path: 'data.csv' } }));
    await app.send(sessionId, 'Show it');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    const result = messages.find((message) => message.role === 'tool');
    expect(result?.metadata.artifact).toMatchObject({ id: file.id, mode: 'published', title: null });
  });
});

describeEachEngine('image_view', (getDatabase) => {
  const getServer = useFileServer(getDatabase);

  it('shows the model an image behind its result', async () => {
    const server = getServer();
    const { app } = server;
    const sessionId = await app.newSession();
    const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer();
    await server.uploadOne(sessionId, 'image.png', bytes as BlobPart, '?as=image');
    await server.uploadOne(sessionId, 'notes.txt', 'no image');
    app.model.replies.push(
      callTools(
        { name: 'image_view', arguments: { path: `session_files/${sessionId}/image_1.png` } },
        { name: 'image_view', arguments: { path: 'session_files/notes.txt' } },
      ),
    );
    await app.send(sessionId, 'Look at it');
    await app.untilIdle(sessionId);
    const { prompt } = app.model.calls.filter((call) => call.tools.length > 0).at(-1) ?? { prompt: [] };
    const [results, shown] = prompt.slice(-2);
    expect(results?.role).toBe('tool');
    expect(JSON.stringify(results)).toContain('64 × 48 pixels');
    expect(JSON.stringify(results)).toContain('is no image but text');
    if (shown?.role !== 'user') throw new Error('no image follows');
    const file = shown.content.find((part) => part.type === 'file');
    expect(Buffer.from(file?.data as Uint8Array).equals(bytes)).toBe(true);
    const { messages } = await app.api.messages.page({ sessionId });
    const [seen, refused] = messages.filter((message) => message.role === 'tool');
    expect([seen?.images?.[0]?.name, seen?.metadata.imagesSent?.length]).toEqual(['image_1.png', 1]);
    expect([refused?.images, refused?.metadata.toolStatus]).toEqual([null, 'failed']);
  });

  it('says when there is no room, and does not send the model back to itself', async () => {
    const server = getServer();
    const { app } = server;
    const sessionId = await app.newSession();
    for (const [name, background] of [
      ['first.png', '#0a0'],
      ['second.png', '#a00'],
    ] as const) {
      // 4,098 tokens each: no two of them fit a window of 8,192.
      const bytes = await sharp({ create: { width: 2048, height: 2048, channels: 3, background } })
        .png()
        .toBuffer();
      await server.uploadOne(sessionId, name, bytes as BlobPart);
    }
    const paths = ['first.png', 'second.png'].map((name) => `session_files/${sessionId}/${name}`);
    app.model.replies.push(callTools(...paths.map((path) => ({ name: 'image_view', arguments: { path } }))));
    await app.send(sessionId, 'Look at both');
    await app.untilIdle(sessionId);
    const { messages } = await app.api.messages.page({ sessionId });
    const results = messages.filter((message) => message.role === 'tool');
    expect(results.at(-1)?.metadata.imagesWithheld?.map(({ reason }) => reason)).toEqual(['no-room']);
    const { prompt } = app.model.calls.filter((call) => call.tools.length > 0).at(-1) ?? { prompt: [] };
    const told = JSON.stringify(prompt.at(-1));
    expect(told).toContain(`${paths[1]} was not loaded: your context has no room for it`);
    expect(told).not.toContain('open them with image_view');
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'All right.' });
  });

  it('takes an image of the workspace into the chat once, and leaves nothing of what is none', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { call, workspace } = toolsOf(server, sessionId);
    const home = await workspace.ensure();
    const bytes = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer();
    await writeFile(join(home, 'plot.png'), bytes);
    await workspace.writeText('fake.png', 'no picture');
    for (const _ of [1, 2]) {
      const seen = await call('image_view', { path: 'plot.png' });
      expect([seen.status, seen.text]).toEqual(['done', `session_files/${sessionId}/plot.png, 9 × 7 pixels`]);
    }
    expect((await call('image_view', { path: 'fake.png' })).text).toContain('is no image but text');
    expect((await call('image_view', { path: '../plot.png' })).status).toBe('failed');
    const { items } = await server.app.api.files.list({ sessionId });
    expect(items.map(({ name, origin }) => [name, origin])).toEqual([['plot.png', 'agent']]);
    expect(await server.onDisk(sessionId)).toHaveLength(1);
  });

  it('never waits for a pipe, and neither does sharing', async () => {
    const server = getServer();
    const sessionId = await server.app.newSession();
    const { call, workspace } = toolsOf(server, sessionId);
    const home = await workspace.ensure();
    execFileSync('mkfifo', [join(home, 'pipe.png')]);
    // More than there are threads that read files: if one waited, all others would.
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? call('image_view', { path: 'pipe.png' })
          : call('share_file', { source: join(home, 'pipe.png') }),
      ),
    );
    for (const { status, text } of answers)
      expect([status, text]).toEqual(['failed', expect.stringContaining('not a file')]);
  });
});
