import { describe, expect, it } from 'vitest';
import { artifactOf, readFileRef } from '../read-files';
import { makeTable, sortRows } from './csv/read-table';
import { languageOf } from './text/language-of';
import { decodeText } from './use-file';
import { zoomAt } from './use-zoom';

describe('tables', () => {
  const table = makeTable(
    [
      ['name', 'amount', ''],
      ['b10', '1,200.50', 'x'],
      ['b9', '-3', ''],
      ['a', ''],
    ],
    false,
  );

  it('names columns that have no name, and knows numbers', () => {
    expect(table.head).toEqual(['name', 'amount', 'Column 3']);
    expect(table.isNumeric).toEqual([false, true, false]);
  });

  it.each([
    ['by words, with numbers in them as numbers', 0, false, [2, 1, 0]],
    ['by number', 1, false, [1, 0, 2]],
    ['by number, down, with what is empty still last', 1, true, [0, 1, 2]],
  ])('sorts %s', (_, column, isDescending, order) => {
    expect(sortRows(table, { column, isDescending })).toEqual(order);
  });

  it('refuses an empty one with words', () => {
    expect(() => makeTable([], false)).toThrow('This table is empty.');
  });
});

describe('text', () => {
  it.each([
    ['UTF-8', [0xc3, 0xa4], 'ä'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
    ['UTF-16 with a mark', [0xff, 0xfe, 0x61, 0x00], 'a'],
    ['Windows-1252', [0x61, 0xe4], 'aä'],
  ])('is read as %s', (_, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes))).toBe(text);
  });

  it.each([
    ['a.ts', 'ts'],
    ['src/Dockerfile', 'dockerfile'],
    ['CMakeLists.txt', 'cmake'],
    ['LICENSE', 'text'],
    ['x.tar.GZ', 'gz'],
  ])('%s is %s', (name, language) => {
    expect(languageOf(name)).toBe(language);
  });
});

describe('zoom', () => {
  it('keeps the point under the pointer where it is', () => {
    const before = { scale: 2, x: 10, y: -20 };
    const at = { x: 50, y: 30 };
    const after = zoomAt(before, 1.5, at);
    // The same point of the picture, in units of the picture.
    expect((at.x - after.x) / after.scale).toBeCloseTo((at.x - before.x) / before.scale);
    expect((at.y - after.y) / after.scale).toBeCloseTo((at.y - before.y) / before.scale);
  });

  it('ends where the whole picture is seen', () => {
    expect(zoomAt({ scale: 1.2, x: 40, y: 40 }, 0.5, { x: 0, y: 0 })).toEqual({ scale: 1, x: 0, y: 0 });
  });
});

describe('files of messages', () => {
  const file = { id: 'f', name: 'box.stl', kind: 'stl', mimeType: 'model/stl', sizeBytes: 3 };

  it('takes nothing for granted', () => {
    expect(readFileRef(null)).toBeNull();
    expect(readFileRef({ id: 1, name: 'a' })).toBeNull();
    expect(readFileRef({ id: 'f', name: 'a.pdf', kind: 'toString' })).toMatchObject({ kind: 'pdf', sizeBytes: 0 });
  });

  it('reads what a tool published or shared', () => {
    expect(artifactOf({ metadata: {} })).toBeNull();
    expect(artifactOf({ metadata: { artifact: { ...file, mode: 'shared', title: ' ' } } })).toEqual({
      ...file,
      mode: 'shared',
      title: null,
    });
  });
});
