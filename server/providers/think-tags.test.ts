import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createThinkSplitter } from './think-tags';

function split(chunks: string[]): { text: string; thinking: string } {
  const splitter = createThinkSplitter();
  const parts = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.flush()];
  const of = (type: string) =>
    parts
      .filter((part) => part.type === type)
      .map((part) => part.text)
      .join('');
  return { text: of('text-delta'), thinking: of('thinking-delta') };
}

/** Text that is rich in what the splitter looks at. */
const tricky = fc
  .array(
    fc.constantFrom(
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '<',
      '</',
      '`',
      '```',
      '\n',
      ' ',
      'a',
      'т',
      '👩‍👧',
      '<th',
      'ink>',
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

/** The text in pieces cut at the given places. */
function cutAt(text: string, places: number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index] ?? text.length));
}

describe('thinking written as tags', () => {
  it.each([
    ['<think>hm</think>Yes', 'Yes', 'hm'],
    ['\n<think>\nhm\n</think>\n\nYes', 'Yes', 'hm\n'],
    ['<thinking>hm</thinking>Yes', 'Yes', 'hm'],
    ['Hello <think>hm</think>there', 'Hello there', 'hm'],
    ['<think>never closed', '', 'never closed'],
    ['<THINK>hm</THINK>Yes', 'Yes', 'hm'],
    ['<think>one</think>A<think>two</think>B', 'AB', 'onetwo'],
    ['a < b and <thing>', 'a < b and <thing>', ''],
    ['ends with <thi', 'ends with <thi', ''],
    ['Use `<think>` tags', 'Use `<think>` tags', ''],
    ['```\n<think>\n```\nafter <think>hm</think>', '```\n<think>\n```\nafter ', 'hm'],
    ['a stray ` tick\n<think>hm</think>x', 'a stray ` tick\nx', 'hm'],
    ['    indented code', '    indented code', ''],
  ])('splits %j', (given, text, thinking) => {
    expect(split([given])).toEqual({ text, thinking });
  });

  it('gives the same result however the chunks fall', () => {
    fc.assert(
      fc.property(tricky, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        expect(split(cutAt(text, places))).toEqual(split([text]));
      }),
    );
  });

  it('loses nothing of a text without tags but blank lines at its head', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/think/i.test(text) && text.trim() !== '');
        expect(split([text]).text).toBe(text.replace(/^\s*\n/, ''));
      }),
    );
  });

  it('holds back no more than an unfinished tag', () => {
    const splitter = createThinkSplitter();
    expect(splitter.push('Hello <')).toEqual([{ type: 'text-delta', text: 'Hello ' }]);
    expect(splitter.push('b')).toEqual([{ type: 'text-delta', text: '<b' }]);
  });
});
