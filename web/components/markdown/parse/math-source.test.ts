import { describe, expect, it } from 'vitest';
import { parseInlines } from './inlines';
import type { Inline } from './types';

function parse(text: string): Inline[] {
  return parseInlines(text, { definitions: new Map(), isOpenEnded: false });
}

function formulas(text: string): string[] {
  return parse(text).flatMap((inline) => (inline.type === 'math' ? [inline.text] : []));
}

describe('dollar signs', () => {
  it.each([
    '$148+ → $19（省 **87%**，年省 ~$1,550）',
    'It costs $5 and $10',
    'the $2k cohort and the $25-50k tier',
    '$/PR is down but $/session is up',
    'US$5 (A$7) or $20/month vs. $80/year',
    'between $5-$10, or $5–$10',
    'set $PATH and $HOME, then $HOME/$USER',
    'from $1,000_total to $2,000_total',
    'costs $5/mo, while B is **$7**',
    'The $100 plan (was $200) and the $50 plan',
    '価格は$5から$10です',
    'a $ b $ c',
    '$5 = €4.60 and $6 = €5.50',
    '$$ and $$$ restaurants',
    'echo $1 $2 $3',
  ])('stay text: %s', (text) => {
    expect(formulas(text)).toEqual([]);
  });

  it('leave bold bold', () => {
    expect(parse('（省 **87%**，年省 ~$1,550）')).toContainEqual({
      type: 'wrap',
      tag: 'strong',
      children: [{ type: 'text', text: '87%' }],
    });
  });

  it.each([
    ['$a^2+b^2=c^2$', 'a^2+b^2=c^2'],
    ['where $x$ is', 'x'],
    ['$n-1$ items', 'n-1'],
    ['in $O(n \\log n)$ time', 'O(n \\log n)'],
    ['$f(x)$, for all', 'f(x)'],
    ['$\\alpha$', '\\alpha'],
    ['($\\frac{a}{b}$)', '\\frac{a}{b}'],
    ['设$x_1=2$，则', 'x_1=2'],
    ['\\(\\sqrt{2}\\) and', '\\sqrt{2}'],
    ['\\(x\\)', 'x'],
    ['so $$E = mc^2$$ holds', 'E = mc^2'],
    ['$p < 0.05$', 'p < 0.05'],
    ['$50\\%$', '50\\%'],
    ['$a_{x$', 'a_{x'],
  ])('make a formula: %s', (text, formula) => {
    expect(formulas(text)).toEqual([formula]);
  });

  it('do nothing inside code', () => {
    expect(formulas('`$a^2$` and `$b^2$`')).toEqual([]);
  });

  it('leave escaped brackets alone', () => {
    expect(formulas('\\[ ] not a box, \\[see note\\] either')).toEqual([]);
  });
});
