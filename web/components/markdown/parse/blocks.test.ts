import { describe, expect, it } from 'vitest';
import { measureCpuMs } from '../testing/cpu-time';
import { MAX_DEPTH, parseBlocks } from './blocks';
import type { Block } from './types';

function parse(text: string): Block[] {
  return parseBlocks(text).blocks.map((top) => top.block);
}

function depthOf(blocks: Block[]): number {
  const depths = blocks.map((block) => {
    if (block.type === 'quote') return 1 + depthOf(block.children);
    if (block.type === 'list') return 1 + Math.max(0, ...block.items.map((item) => depthOf(item.children)));
    return 0;
  });
  return Math.max(0, ...depths);
}

describe('block structure', () => {
  it('reads headings of both styles', () => {
    expect(parse('## Two ##\n\nTitle\n===\nSub\n---')).toEqual([
      { type: 'heading', depth: 2, text: 'Two' },
      { type: 'heading', depth: 1, text: 'Title' },
      { type: 'heading', depth: 2, text: 'Sub' },
    ]);
  });

  it('keeps a fence inside a longer fence', () => {
    const text = '````markdown\nOuter\n```js\ninner();\n```\n````\n\nafter';
    expect(parse(text)).toEqual([
      { type: 'code', language: 'markdown', text: 'Outer\n```js\ninner();\n```', isClosed: true },
      { type: 'paragraph', text: 'after' },
    ]);
  });

  it('lets nothing leak out of a block of code that holds backticks', () => {
    const text = '```js\nconst fence = /```/g;\n```\n\nafter';
    expect(parse(text)).toEqual([
      { type: 'code', language: 'js', text: 'const fence = /```/g;', isClosed: true },
      { type: 'paragraph', text: 'after' },
    ]);
  });

  it('shows a fence without its end as code already', () => {
    expect(parse('```ts\nconst a = 1;')).toEqual([
      { type: 'code', language: 'ts', text: 'const a = 1;', isClosed: false },
    ]);
  });

  it('reads nested, ordered and task lists', () => {
    const [list] = parse('3. three\n   - [x] done\n   - [ ] open\n4. four');
    expect(list).toMatchObject({ type: 'list', isOrdered: true, start: 3, isLoose: false, items: { length: 2 } });
    const nested = list?.type === 'list' ? list.items[0]?.children[1] : undefined;
    expect(nested).toMatchObject({ type: 'list', items: [{ isChecked: true }, { isChecked: false }] });
  });

  it('tells loose lists from tight ones', () => {
    expect(parse('- a\n- b')).toMatchObject([{ isLoose: false }]);
    expect(parse('- a\n\n- b')).toMatchObject([{ isLoose: true }]);
    expect(parse('- a\n  - b\n\n    c\n- d')).toMatchObject([{ isLoose: false }]);
  });

  it('reads a table with alignments, escaped pipes and uneven rows', () => {
    expect(parse('| a | b |\n|:--|--:|\n| x \\| y | 1 | 2 |\n| z |')).toEqual([
      {
        type: 'table',
        align: ['left', 'right'],
        header: ['a', 'b'],
        rows: [
          ['x | y', '1'],
          ['z', ''],
        ],
      },
    ]);
  });

  it('ends a paragraph where a table begins under it', () => {
    expect(parse('Results:\n| a |\n|---|\n| 1 |').map((block) => block.type)).toEqual(['paragraph', 'table']);
  });

  it('takes display mathematics in both notations, and not dollar signs of prose', () => {
    expect(parse('$$\na^2\n$$')).toEqual([{ type: 'math', text: 'a^2', isClosed: true }]);
    expect(parse('\\[\\frac{1}{2}\\]')).toEqual([{ type: 'math', text: '\\frac{1}{2}', isClosed: true }]);
    expect(parse('$$ and $$$ restaurants')).toMatchObject([{ type: 'paragraph' }]);
    expect(parse('$$\nnever closed\n\nnext')).toMatchObject([{ type: 'paragraph' }, { type: 'paragraph' }]);
  });

  it('keeps raw HTML as text', () => {
    const text = '<script>\nalert(1)\n</script>';
    expect(parse(text)).toEqual([{ type: 'html', text }]);
  });

  it.each([
    ['quotes', '> '.repeat(5000)],
    ['list items', '- '.repeat(5000)],
    ['both', '> - '.repeat(5000)],
  ])('caps the depth of %s', (_name, prefix) => {
    let blocks: Block[] = [];
    const tookMs = measureCpuMs(() => {
      blocks = parse(`${prefix}deep`);
    });
    expect(depthOf(blocks)).toBeLessThanOrEqual(MAX_DEPTH);
    expect(tookMs).toBeLessThan(500);
  });

  it('reads a thousand lines 32 quotes deep at once (71 seconds elsewhere)', () => {
    const tookMs = measureCpuMs(() => {
      parse(`${'> '.repeat(32)}text\n`.repeat(1000));
    });
    expect(tookMs).toBeLessThan(500);
  });
});
