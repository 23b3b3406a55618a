import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestedRange } from './byte-range';
import { contentDisposition } from './download-headers';
import { extensionOf, freeName, MAX_NAME_BYTES, nextImageNumber, splitName, uploadName } from './names';
import { refusedExtensionOf } from './refusals';

const anyName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

describe('names of uploads', () => {
  it('are kept exactly or refused in words, and never hold a way out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (sent) => {
        let name: string;
        try {
          name = uploadName(sent);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-input' });
          return;
        }
        expect(sent.endsWith(name)).toBe(true);
        expect(name).not.toMatch(/[/\\]|\p{Cc}|^\.{1,2}$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES);
      }),
    );
  });

  it('get a number that is free, keep their extension, and stay within the limit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a', '漢字', '👩‍👩‍👧', 'x'.repeat(250)),
        fc.integer({ min: 0, max: 12 }),
        (stem, others) => {
          const taken = new Set<string>();
          for (let count = 0; count <= others; count++) {
            const name = freeName(`${stem}.txt`, (candidate) => taken.has(candidate));
            expect(taken.has(name)).toBe(false);
            expect(name.endsWith('.txt')).toBe(true);
            expect(name.isWellFormed()).toBe(true);
            expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES);
            taken.add(name);
          }
        },
      ),
    );
  });

  it.each([
    ['a.txt', 'a', '.txt'],
    ['a.tar.gz', 'a', '.tar.gz'],
    ['.env', '.env', ''],
    ['.env.local', '.env', '.local'],
    ['Makefile', 'Makefile', ''],
    ['v1.2 final', 'v1.2 final', ''],
    ['ends.', 'ends.', ''],
  ])('%s is split into %j and %j', (name, stem, extension) => {
    expect(splitName(name)).toEqual({ stem, extension });
  });

  it('number images across formats and skip what only looks alike', () => {
    expect(nextImageNumber([], 0)).toBe(1);
    expect(nextImageNumber(['image_1.png', 'image_7.jpg', 'my image_9.png', 'image_01.png', 'image_8'], 0)).toBe(8);
    expect(nextImageNumber(['image_1.png'], 3)).toBe(4);
  });

  it.each(['a.exe', 'a.EXE', 'a.txt.exe', 'a.exe.', 'a.exe ', 'a.exe::$DATA', '.sh', 'x.ps1\u00a0'])(
    '%j is refused',
    (name) => {
      expect(refusedExtensionOf(name)).not.toBeNull();
    },
  );

  it.each(['a.ts', 'a.js', 'exe', 'a.exec', 'shell', 'a.sh.txt'])('%j is welcome', (name) => {
    expect(refusedExtensionOf(name)).toBeNull();
  });

  it('of agents may be source that nothing runs by itself', () => {
    expect(refusedExtensionOf('a.py', 'agent')).toBeNull();
    expect(refusedExtensionOf('a.bat', 'agent')).toBe('bat');
    expect(extensionOf('A.TXT')).toBe('txt');
  });
});

describe('the header of a download', () => {
  it('is a valid header for every name, and carries it exactly', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const header = contentDisposition('attachment', name);
        validateHeaderValue('content-disposition', header);
        expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~-]+$/);
        expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? '')).toBe(name);
      }),
    );
  });
});

describe('a requested range', () => {
  it('is always inside the file', () => {
    const bound = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 300 }).map(String));
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 0, max: 200 }), (from, to, size) => {
        const range = requestedRange(`bytes=${from}-${to}`, size, { etag: '"e"' });
        if (range.kind !== 'part') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});
