import { expect, it } from 'vitest';
import { splitShownName, visibleName } from './file-names';

it.each([
  ['photo\u202egpj.exe', 'photo[U+202E]gpj.exe'],
  ['\u2066a\u2069\u200fb\u200e\u061c.txt', '[U+2066]a[U+2069][U+200F]b[U+200E][U+061C].txt'],
  ['שלום עולם.pdf', 'שלום עולם.pdf'],
  ['zero\u200bwidth\u202fspace.txt', 'zero\u200bwidth\u202fspace.txt'],
])('%j is shown as %j', (name, shown) => {
  expect(visibleName(name)).toBe(shown);
});

it.each([
  ['a.txt', 'a', '.txt'],
  ['a.tar.gz', 'a', '.tar.gz'],
  ['.env', '.env', ''],
  ['no extension', 'no extension', ''],
  ['v1.2 final', 'v1.2 final', ''],
  [`invoice.pdf${' '.repeat(60)}.html`, `invoice.pdf${' '.repeat(60)}`, '.html'],
  ['photo\u202egpj.exe', 'photo[U+202E]gpj', '.exe'],
  [`a.${'x'.repeat(40)}`, `a.${'x'.repeat(40)}`, ''],
])('%j keeps its end in view', (name, stem, end) => {
  expect(splitShownName(name)).toEqual({ stem, end });
});
