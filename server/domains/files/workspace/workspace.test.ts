import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerFolderName, parseRelativePath, sessionFolderName } from './safe-path';
import { createWorkspace, type Workspace, type WorkspaceFolder } from './workspace';

let dataDir: string;
let workspace: Workspace;
let folder: WorkspaceFolder;
let root: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'navi-workspace-'));
  workspace = createWorkspace({ dataDir });
  folder = workspace.forOwner('anonymous');
  root = await folder.ensure();
  await writeFile(join(dataDir, 'secret.txt'), 'secret');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('nothing outside the workspace can be reached', () => {
  const outside = [
    '../secret.txt',
    '../../secret.txt',
    'a/../../../secret.txt',
    '/etc/passwd',
    '/../../../../../../../test.txt',
    '../../../../tmp/evil.pdf',
    '..',
    '../.',
    '..\\..\\secret.txt',
    'a\\..\\..\\secret.txt',
    'C:\\Windows\\win.ini',
    'c:secret',
    '\\\\server\\share',
    'a\u0000/../../secret.txt',
    'line\nbreak',
    'x'.repeat(256),
    'я'.repeat(128),
    'd/'.repeat(60),
  ];
  it.each(outside)('%j', async (path) => {
    await expect(folder.readText(path)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(folder.writeText(path, 'x')).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(folder.list(path)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(folder.search('x', { path })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('an encoded "..": it is a name like any other', async () => {
    await folder.writeText('%2e%2e%2f%2e%2e%2fx', 'inside');
    expect(await readdir(root)).toEqual(['%2e%2e%2f%2e%2e%2fx']);
    expect(await readdir(dataDir)).toEqual(['secret.txt', 'workspace']);
  });

  it('any path that is accepted stays inside (property)', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '', '/', '\\', '~', '%2e%2e', 'a', 'C:', '\u0000', '\u202f'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', '\\', ''), (pieces, glue) => {
        let segments: string[];
        try {
          segments = parseRelativePath(pieces.join(glue));
        } catch {
          return;
        }
        const joined = join('/root/folder', ...segments);
        expect(joined === '/root/folder' || joined.startsWith(`/root/folder${sep}`)).toBe(true);
        expect(segments.some((segment) => /[/\\\0]/.test(segment))).toBe(false);
      }),
    );
  });

  it('links: one that leads out is refused for reading, listing, searching and writing', async () => {
    await mkdir(join(dataDir, 'other'));
    await symlink(join(dataDir, 'secret.txt'), join(root, 'link.txt'));
    await symlink(join(dataDir, 'other'), join(root, 'out'));
    await symlink('/nowhere/at/all', join(root, 'dangling'));
    await expect(folder.readText('link.txt')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(folder.writeText('link.txt', 'x')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(folder.list('out')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(folder.search('x', { path: 'out' })).rejects.toMatchObject({ code: 'forbidden' });
    for (const path of ['out/new.txt', 'out/deep/new.txt', 'dangling/new.txt']) {
      await expect(folder.writeText(path, 'x')).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await readFile(join(dataDir, 'secret.txt'), 'utf8')).toBe('secret');
    expect(await readdir(join(dataDir, 'other'))).toEqual([]);
    expect((await folder.search('secret')).matches).toEqual([]);
    expect((await folder.list()).entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['dangling', 'link'],
      ['link.txt', 'link'],
      ['out', 'link'],
    ]);
  });

  it('links: a write over a dangling one replaces the link and creates nothing elsewhere', async () => {
    await symlink(join(dataDir, 'created-outside'), join(root, 'dangling'));
    await folder.writeText('dangling', 'mine');
    expect((await folder.readText('dangling')).text).toBe('mine');
    expect(await readdir(dataDir)).not.toContain('created-outside');
  });

  it('links: one that stays inside works', async () => {
    await folder.writeText('real/a.txt', 'one');
    await symlink(join(root, 'real'), join(root, 'alias'));
    await symlink(join(root, 'real', 'a.txt'), join(root, 'b.txt'));
    expect((await folder.readText('alias/a.txt')).text).toBe('one');
    expect(await folder.writeText('b.txt', 'two')).toMatchObject({ path: 'real/a.txt', isNew: false });
    expect((await folder.readText('real/a.txt')).text).toBe('two');
  });

  it('owners: each has an own folder, whatever the ids look like', async () => {
    const ids = ['', 'anonymous', 'Anonymous', '../anonymous', 'a/b', 'a\u0000', 'ж', 'x'.repeat(500), 'u-anonymous'];
    const names = ids.map(ownerFolderName);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,70}$/);
    await workspace.forOwner('b').writeText('n.txt', 'b');
    await expect(folder.readText('n.txt')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('sessions: a folder by the plain id, and nothing but a plain id', () => {
    expect(sessionFolderName('0b9f-1')).toBe('0b9f-1');
    for (const id of ['..', '.', '', 'a/b', '../workspace', 'a\\b']) expect(() => sessionFolderName(id)).toThrow();
  });

  it('pipes and folders are not read as files, and never waited for', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await mkdir(join(root, 'sub'));
    for (const path of ['pipe', 'sub', '.']) {
      await expect(folder.readText(path)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    await expect(folder.writeText('sub', 'x')).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await folder.search('x')).matches).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    'Fibonacci_suit_génération.js',
    'Расчет_иска.docx',
    'ă à ạ ã.zip',
    'שלום.txt',
    'مرحبا.txt',
    '问题.md',
    'こんにちは.txt',
    'สวัสดี.txt',
    '⭐️ 🧑‍🚀.txt',
    'Screenshot 2026-01-01 at 9.41.00\u202fAM.png',
    'a\u00a0b.txt',
    'zero\u200bwidth.txt',
    ' leading and trailing ',
    '-rf',
    'con.txt',
    '...',
    'Zimowa łąka'.normalize('NFD'),
  ])('%j round-trips', async (name) => {
    await folder.writeText(`d/${name}`, name);
    expect((await folder.list('d')).entries.map(({ path }) => path)).toEqual([`d/${name}`]);
    expect((await folder.readText(`d/${name}`)).text).toBe(name);
  });

  it('are found when a model rewrote their spaces or accents, unless that is a guess', async () => {
    await folder.writeText('Shot 9.41\u202fAM.txt', 'one');
    await folder.writeText(`${'łąka'.normalize('NFD')}/x.txt`, 'two');
    expect((await folder.readText('Shot 9.41 AM.txt')).text).toBe('one');
    expect((await folder.readText('łąka/x.txt')).text).toBe('two');
    await folder.writeText('Shot 9.41\u00a0AM.txt', 'three');
    await expect(folder.readText('Shot 9.41 AM.txt')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('are exact when writing', async () => {
    await folder.writeText('a\u00a0b', 'one');
    await folder.writeText('a b', 'two');
    expect((await folder.readText('a\u00a0b')).text).toBe('one');
  });
});

describe('reading', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

  it('gives ranges by line and says where to read on', async () => {
    await folder.writeText('a.txt', `${lines(10)}\n`);
    expect(await folder.readText('a.txt')).toMatchObject({ fromLine: 1, toLine: 10, totalLines: 10, nextLine: null });
    expect(await folder.readText('a.txt', { fromLine: 4, maxLines: 2 })).toMatchObject({
      text: 'line 4\nline 5',
      fromLine: 4,
      toLine: 5,
      totalLines: 10,
      nextLine: 6,
    });
    expect(await folder.readText('a.txt', { fromLine: 11 })).toMatchObject({ text: '', toLine: 10, nextLine: null });
    expect(await folder.readText('a.txt', { maxChars: 19 })).toMatchObject({ text: 'line 1\nline 2', nextLine: 3 });
  });

  it('reads every line of a file piece by piece exactly once (property)', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' '), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.integer({ min: 60, max: 90 }), async (given, maxChars) => {
        await folder.writeText('p.txt', given.map((text) => `${text}\n`).join(''));
        const read: string[] = [];
        for (let from: number | null = 1; from !== null; ) {
          const range = await folder.readText('p.txt', { fromLine: from, maxChars, maxLines: 7 });
          if (range.toLine >= range.fromLine) read.push(...range.text.split('\n'));
          from = range.nextLine;
        }
        expect(read).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps characters whole across chunks and windows line ends plain', async () => {
    const text = 'я😀é'.repeat(200_000);
    await writeFile(join(root, 'big.txt'), `${text}\r\nend\r\n`);
    expect((await folder.readText('big.txt', { maxChars: 10_000_000 })).text).toBe(`${text}\nend`);
  });

  it('cuts one endless line and does not hold a gigantic file', async () => {
    await writeFile(join(root, 'endless'), 'x'.repeat(40 * 1024 * 1024));
    const range = await folder.readText('endless', { maxChars: 1000 });
    expect(range).toMatchObject({ isLineCut: true, toLine: 1 });
    expect(range.text).toHaveLength(1000);
  });

  it('knows encodings, and refuses binary data in words', async () => {
    await writeFile(join(root, 'bom.txt'), '\ufeffприветик');
    await writeFile(join(root, 'u16.txt'), Buffer.from('\ufeffhéllo', 'utf16le'));
    await writeFile(join(root, 'old.txt'), Buffer.from('caf\xe9 cr\xe8me', 'latin1'));
    await writeFile(join(root, 'a.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    await writeFile(join(root, 'empty'), '');
    expect(await folder.readText('bom.txt')).toMatchObject({ text: 'приветик', encoding: 'utf-8' });
    expect(await folder.readText('u16.txt')).toMatchObject({ text: 'héllo', encoding: 'utf-16le' });
    expect(await folder.readText('old.txt')).toMatchObject({ text: 'café crème', encoding: 'windows-1252' });
    expect(await folder.readText('empty')).toMatchObject({ text: '', totalLines: 0, toLine: 0, nextLine: null });
    await expect(folder.readText('a.png')).rejects.toMatchObject({ code: 'invalid-input', message: /not a text file/ });
  });
});

describe('writing', () => {
  it('creates parents, replaces, appends, and refuses to replace when asked only to create', async () => {
    expect(await folder.writeText('a/b/c.txt', 'one')).toEqual({ path: 'a/b/c.txt', sizeBytes: 3, isNew: true });
    expect(await folder.writeText('a/b/c.txt', 'two')).toMatchObject({ isNew: false });
    await folder.writeText('a/b/c.txt', '!', 'append');
    await folder.writeText('fresh.txt', 'x', 'append');
    expect((await folder.readText('a/b/c.txt')).text).toBe('two!');
    await expect(folder.writeText('a/b/c.txt', 'x', 'create')).rejects.toMatchObject({ code: 'conflict' });
    await expect(folder.writeText('a/b/c.txt/d', 'x')).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('leaves no temporary file, keeps the mode, and never shows a half', async () => {
    await folder.writeText('run.sh', 'x');
    await chmod(join(root, 'run.sh'), 0o755);
    const whole = ['a', 'b'].map((letter) => letter.repeat(300_000));
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => folder.writeText('run.sh', whole[index % 2] ?? '')),
      ...Array.from({ length: 20 }, async () => {
        expect(['x', ...whole]).toContain((await folder.readBytes('run.sh')).toString());
      }),
    ]);
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await readdir(root)).toEqual(['run.sh']);
  });

  it('has a size limit', async () => {
    await expect(folder.writeText('a', 'x'.repeat(11 * 1024 * 1024))).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('listing', () => {
  it('shows sizes and dates, in order, to a depth and a limit', async () => {
    await folder.writeText('b.txt', '12345');
    await folder.writeText('a/x.txt', 'x');
    await folder.writeText('a/deep/y.txt', 'y');
    await folder.writeText('node_modules/z.js', 'z');
    const paths = async (depth: number, limit = 100) =>
      (await folder.list('.', { depth, limit })).entries.map(({ path }) => path);
    expect(await paths(1)).toEqual(['a', 'b.txt', 'node_modules']);
    expect(await paths(3)).toEqual(['a', 'a/deep', 'a/deep/y.txt', 'a/x.txt', 'b.txt', 'node_modules']);
    expect(await folder.list('.', { limit: 2 })).toMatchObject({ isTruncated: true });
    const [entry] = (await folder.list('.', { limit: 3 })).entries.filter(({ kind }) => kind === 'file');
    expect(entry).toMatchObject({ path: 'b.txt', sizeBytes: 5 });
    expect(Math.abs(Date.now() - (entry?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000);
    await expect(folder.list('b.txt')).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(folder.list('gone')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('searching', () => {
  it('takes text literally, in every script and form, and names lines', async () => {
    await folder.writeText('a.txt', 'first\nprice is 100% (a.*b)\n');
    await folder.writeText('u.txt', `Привіт, світе\n${'Łąka'.normalize('NFD')} makes sense\n⭐️ 问题`);
    const find = async (query: string) =>
      (await folder.search(query)).matches.map(({ path, line }) => `${path}:${line}`);
    expect(await find('100%')).toEqual(['a.txt:2']);
    expect(await find('a.*b')).toEqual(['a.txt:2']);
    expect(await find('привіт')).toEqual(['u.txt:1']);
    expect(await find('łąka')).toEqual(['u.txt:2']);
    expect(await find('问题')).toEqual(['u.txt:3']);
    expect(await find('[')).toEqual([]);
    expect((await folder.search('FIRST', { isCaseSensitive: true })).matches).toEqual([]);
  });

  it('finds names, skips binary files and folders of dependencies', async () => {
    await folder.writeText('needle.txt', 'hay');
    await folder.writeText('node_modules/x.js', 'hay');
    await writeFile(join(root, 'bin'), Buffer.from('hay\0hay'));
    expect((await folder.search('needle')).names).toEqual(['needle.txt']);
    expect((await folder.search('hay')).matches).toEqual([{ path: 'needle.txt', line: 1, text: 'hay' }]);
  });

  it('is bounded in results, files, bytes and time, and says which bound ended it', async () => {
    for (let index = 0; index < 6; index += 1) await folder.writeText(`f${index}.txt`, 'hit\nhit\n');
    expect(await folder.search('hit', { limit: 3 })).toMatchObject({ endedBy: 'results', matches: { length: 3 } });
    const generous = { maxFiles: 100, maxTotalBytes: 1e9, maxFileBytes: 1e6, maxDurationMs: 60_000 };
    const bounded = (change: Partial<typeof generous>) =>
      createWorkspace({ dataDir, searchLimits: { ...generous, ...change } }).forOwner('anonymous');
    expect(await bounded({ maxFiles: 2 }).search('hit')).toMatchObject({ endedBy: 'files', filesSearched: 2 });
    expect(await bounded({ maxTotalBytes: 10 }).search('hit')).toMatchObject({ endedBy: 'bytes' });
    expect(await bounded({ maxFileBytes: 3 }).search('hit')).toMatchObject({
      endedBy: null,
      filesTooLarge: 6,
      matches: [],
    });
    let now = 0;
    const clock = {
      now: () => {
        now += 1000;
        return new Date(now);
      },
    };
    const slow = createWorkspace({ dataDir, clock, searchLimits: { ...generous, maxDurationMs: 2500 } }).forOwner(
      'anonymous',
    );
    expect(await slow.search('hit')).toMatchObject({ endedBy: 'time' });
  });

  it('stops when it is aborted', async () => {
    await folder.writeText('a.txt', 'hit');
    await expect(folder.search('hit', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });

  it('shortens a long line around its match', async () => {
    await folder.writeText('min.js', `${'😀'.repeat(5000)}needle${'😀'.repeat(5000)}`);
    const [match] = (await folder.search('needle')).matches;
    expect(match?.text).toContain('needle');
    expect(match?.text.length).toBeLessThan(300);
    expect(match?.text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });
});
