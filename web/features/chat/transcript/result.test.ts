import { expect, it } from 'vitest';
import { readResult } from './result';

it.each([
  ['a value', '[1, 2]', '', [1, 2]],
  [
    'a value behind a few lines',
    'data.json, lines 1 to 1 of 1\nUTF-8\n\n{"a": 1}\n',
    'data.json, lines 1 to 1 of 1\nUTF-8',
    { a: 1 },
  ],
  ['a value with blank lines in it', 'data.json\n\n{\n\n"a": 1}', 'data.json', { a: 1 }],
  ['text', 'It is late.\n\nVery late.', '', null],
  ['a value that is cut', 'data.json\n\n{"a": ', '', null],
  ['a value with words behind it', '{"a": 1} and so on', '', null],
  ['a bare number', '12', '', null],
  ['nothing', '', '', null],
])('reads %s', (_, text, head, value) => expect(readResult(text)).toEqual({ head, value }));

it('does not try what is very long', () => {
  expect(readResult(`[${'1,'.repeat(150_000)}1]`).value).toBeNull();
});
