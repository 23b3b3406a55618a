import { describe, expect, it } from 'vitest';
import { measureCpuMs } from '../testing/cpu-time';
import { parseInlines, plainText } from './inlines';
import type { Inline } from './types';

const definitions = new Map([['REF', { label: 'REF', href: 'https://ref.example/', title: 'Ref' }]]);

function parse(text: string, isOpenEnded = false): Inline[] {
  return parseInlines(text, { definitions, isOpenEnded });
}

/** A compact notation of the tree for reading in tests. */
function show(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text') return inline.text;
      if (inline.type === 'code') return `{code ${inline.text}}`;
      if (inline.type === 'break') return '{br}';
      if (inline.type === 'wrap') return `{${inline.tag} ${show(inline.children)}}`;
      if (inline.type === 'link') return `{a ${inline.href ?? '…'} ${show(inline.children)}}`;
      return inline.type === 'image' ? `{img ${inline.href} ${inline.alt}}` : `{math ${inline.text}}`;
    })
    .join('');
}

describe('inline text', () => {
  it.each([
    ['***a** b*', '{em {strong a} b}'],
    ['**a *b* c**', '{strong a {em b} c}'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2{em 3}4'],
    ['5 * 3 * 2', '5 * 3 * 2'],
    ['**“强调”**文字', '{strong “强调”}文字'],
    ['~~gone~~ and ~5', '{del gone} and ~5'],
    ['``a ` b``', '{code a ` b}'],
    ['[a *b*](https://x.y "t")', '{a https://x.y a {em b}}'],
    ['[ref] and [text][ref]', '{a https://ref.example/ ref} and {a https://ref.example/ text}'],
    ['![alt *x*](https://x.y/p.png)', '{img https://x.y/p.png alt x}'],
    ['a  \nb\\\nc', 'a{br}b{br}c'],
    ['x<br>y<br/>z', 'x{br}y{br}z'],
    ['H<sub>2</sub>O', 'H{sub 2}O'],
    ['<sub>open', '<sub>open'],
    ['*a <sub>b* c</sub>', '{em a <sub>b} c</sub>'],
    ['&lt;b&gt; &amp; &unknown; &#35;', '<b> & &unknown; #'],
    ['see https://a.example/b_c_d, now', 'see {a https://a.example/b_c_d https://a.example/b_c_d}, now'],
    ['(www.example.com/a(b))', '({a https://www.example.com/a(b) www.example.com/a(b)})'],
    ['见https://a.example/路径。好', '见{a https://a.example/路径 https://a.example/路径}。好'],
    ['mail a.b@c.example now', 'mail {a mailto:a.b@c.example a.b@c.example} now'],
    ['<https://a.example>', '{a https://a.example https://a.example}'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('%s', (text, expected) => {
    expect(show(parse(text))).toBe(expected);
  });

  it.each([
    ['some **bo', 'some {strong bo}'],
    ['some **', 'some '],
    ['some *it', 'some {em it}'],
    ['2*3 is', '2*3 is'],
    ['run `npm i', 'run {code npm i}'],
    ['see [the docs](https://exa', 'see {a … the docs}'],
    ['see [the docs](https://exa.example "ti', 'see {a … the docs}'],
    ['see [the do', 'see [the do'],
    ['**bold and `code', '{strong bold and {code code}}'],
    ['\\(\\frac{1}{', '{math \\frac{1}{}'],
    ['so $x_1 + y', 'so {math x_1 + y}'],
    ['costs $5_', 'costs $5_'],
    ['costs $5 and', 'costs $5 and'],
    ['~~str', '{del str}'],
  ])('is calm while it arrives: %s', (text, expected) => {
    expect(show(parse(text, true))).toBe(expected);
  });

  it('does not nest without end, and loses no text', () => {
    const text = '*a '.repeat(3000) + 'b*'.repeat(3000);
    let inlines: Inline[] = [];
    const tookMs = measureCpuMs(() => {
      inlines = parse(text);
    });
    expect(tookMs).toBeLessThan(1500);
    const depth = (nodes: Inline[]): number =>
      Math.max(0, ...nodes.map((node) => (node.type === 'wrap' ? 1 + depth(node.children) : 0)));
    expect(depth(inlines)).toBeLessThanOrEqual(24);
    expect(plainText(inlines).match(/[ab]/g)).toHaveLength(6000);
  });

  it.each([
    '[',
    '![',
    '](',
    '*',
    '_a*',
    '`',
    '``` ',
    '$',
    '$$',
    '\\(',
    '<',
    '<a ',
    '&',
    '~~',
    '[a](',
    '[a](b',
    'a@',
    'https://',
    '[a]: ',
    '(',
    '*a_',
    '<!--',
    '\\[',
  ])('reads 20,000 times %j without freezing', (part) => {
    const tookMs = measureCpuMs(() => {
      parse(part.repeat(20_000));
      parse(part.repeat(20_000), true);
    });
    expect(tookMs).toBeLessThan(1500);
  });
});
