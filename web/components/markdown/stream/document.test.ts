import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureCpuMs } from '../testing/cpu-time';
import { dropHalfMark } from './calm';
import { createMarkdownDocument } from './document';

const PIECE = fc.constantFrom(
  'word',
  ' ',
  '\n',
  '\n\n',
  '- ',
  '1',
  '. ',
  '2) ',
  '> ',
  '    ',
  '\t',
  '```',
  '~~~',
  '`',
  '| a | b |',
  '|---|---|',
  '|',
  '-',
  '---',
  '===',
  '#',
  '# ',
  '$$',
  '\\[',
  '\\]',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '[a]: http://b\n',
  '[a]',
  '**',
  '_',
  '\r\n',
  '* ',
  '[x] ',
  '  ',
);
const PIECES = fc.array(PIECE, { maxLength: 40 });

describe('a message that grows', () => {
  it('reads the same in pieces as at once', () => {
    fc.assert(
      fc.property(PIECES, (pieces) => {
        const growing = createMarkdownDocument();
        let text = '';
        for (const piece of pieces) {
          text += piece;
          expect(growing.update(text)).toEqual(createMarkdownDocument().update(text));
        }
      }),
      { numRuns: 600 },
    );
  });

  it('takes an opening of mathematics that never ends back into the paragraph before it', () => {
    const growing = createMarkdownDocument();
    let text = '';
    for (const piece of ['word', '\n', '\\[', '\n', '\n']) {
      text += piece;
      expect(growing.update(text)).toEqual(createMarkdownDocument().update(text));
    }
  });

  it('reads the same whatever text was there before', () => {
    fc.assert(
      fc.property(PIECES, PIECES, (before, after) => {
        const document = createMarkdownDocument();
        document.update(before.join(''));
        expect(document.update(after.join(''))).toEqual(createMarkdownDocument().update(after.join('')));
      }),
    );
  });

  it('keeps the identity of all blocks but the last', () => {
    const document = createMarkdownDocument();
    const text = Array.from({ length: 50 }, (_, index) => `Paragraph ${index}.\n\n- a\n- b\n\n`).join('');
    const before = document.update(`${text}And`).blocks;
    const after = document.update(`${text}And more`).blocks;
    const changed = after.filter((top, index) => top.block !== before[index]?.block);
    expect(changed.map((top) => top.block)).toEqual([{ type: 'paragraph', text: 'And more' }]);
  });

  it('keeps the identity of the finished items of a list that grows', () => {
    const document = createMarkdownDocument();
    const before = document.update('- one\n- two\n- thr').blocks[0]?.block;
    const after = document.update('- one\n- two\n- three').blocks[0]?.block;
    const items = (block: typeof before) => (block?.type === 'list' ? block.items : []);
    expect(items(after)[0]).toBe(items(before)[0]);
    expect(items(after)[1]).toBe(items(before)[1]);
    expect(items(after)[2]).not.toBe(items(before)[2]);
  });

  it('finds definitions wherever they stand', () => {
    const document = createMarkdownDocument();
    const text = '[a] and [b]\n\n> [a]: https://a.example\n\n- [b]: https://b.example "B"\n';
    expect([...document.update(text).definitions.values()]).toMatchObject([
      { label: 'A', href: 'https://a.example' },
      { label: 'B', title: 'B' },
    ]);
  });

  it('parses a megabyte in the time that its length takes, not the square of it', () => {
    const unit =
      '## Heading\n\nA paragraph with **bold** text.\n\n- item\n  - nested\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n';
    const parse = (characters: number) => {
      const text = unit.repeat(Math.ceil(characters / unit.length));
      return measureCpuMs(() => {
        createMarkdownDocument().update(text);
      });
    };
    parse(100_000);
    const small = Math.min(...[1, 2, 3].map(() => parse(100_000)));
    // Ten times the text; four times that, because a busy machine and a collection of garbage add to either side.
    expect(parse(1_000_000)).toBeLessThan(Math.max(500, small * 40));
  });

  it.each([
    ['Para\n-', 'Para\n'],
    ['Para\n---', 'Para\n'],
    ['Para\n## ', 'Para\n'],
    ['Para\n##', 'Para\n'],
    ['a\n``', 'a\n'],
    ['| a | b |\n|--', '| a | b |\n'],
    ['| a | b |\n|---|---|', '| a | b |\n'],
    ['text - ', 'text - '],
    ['- ', ''],
    ['- a\n- b', '- a\n- b'],
    ['a\n42', 'a\n42'],
  ])('leaves out a half-written mark: %j', (text, shown) => {
    expect(dropHalfMark(text)).toBe(shown);
  });
});
