import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolCallOf } from './normalise';

const parsed = (input: string) => {
  const { arguments: args, malformed } = toolCallOf({ type: 'tool-call', toolCallId: 'a', toolName: 't', input });
  return [args, malformed];
};

describe('the arguments of a tool call', () => {
  it.each([
    ['{"a":1}', { a: 1 }, null],
    ['', {}, null],
    ['  ', {}, null],
    ['null', {}, null],
    ['"{\\"a\\":1}"', { a: 1 }, null],
    ['{"a":', {}, '{"a":'],
    ['[1]', {}, '[1]'],
    ['5', {}, '5'],
    ['"text"', {}, '"text"'],
    ["{'a': 1}", {}, "{'a': 1}"],
  ])('in %j', (input, args, malformed) => {
    expect(parsed(input)).toEqual([args, malformed]);
  });

  it('are any JSON object, unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(parsed(JSON.stringify(value))).toEqual([JSON.parse(JSON.stringify(value)), null]);
      }),
    );
  });

  it('never throw, and lose no text', () => {
    fc.assert(
      fc.property(fc.string(), (input) => {
        const [args, malformed] = parsed(input);
        expect(typeof args === 'object' && (malformed === null || malformed === input)).toBe(true);
      }),
    );
  });
});
