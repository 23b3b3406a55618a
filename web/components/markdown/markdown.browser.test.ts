/** What only a real browser shows: lazy parts, layout, clipboard, requests, time. Under the product's content security policy. */
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, type PreviewServer, startPreview } from './testing/preview-server';

const START_TIMEOUT_MS = 120_000;

let server: PreviewServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Everything the page said or asked for that it should not have. */
let complaints: string[];
let requests: string[];
let inFlight: number;

beforeAll(async () => {
  [server, browser] = await Promise.all([startPreview(), launchBrowser()]);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  complaints = [];
  requests = [];
  inFlight = 0;
  context = await browser.newContext({ viewport: { width: 900, height: 900 } });
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    requests.push(request.url());
    inFlight += 1;
  });
  page.on('requestfinished', () => inFlight--);
  page.on('requestfailed', () => inFlight--);
  await page.goto(server.url);
});

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

function show(text: string, isStreaming = false): Promise<number> {
  return page.evaluate(([value, streams]) => window.showMarkdown(value, streams), [text, isStreaming] as const);
}

/** Until the page has done all it had to do and has loaded all that it asked for. Playwright's `networkidle` comes once in a page's life. */
async function settle(): Promise<void> {
  let asked: number;
  do {
    asked = requests.length;
    await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve, 50))));
  } while (inFlight > 0 || requests.length > asked);
}

function loaded(name: string): boolean {
  return requests.some((url) => url.includes(`/${name}`));
}

/** The smallest PNG. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a message in a browser', () => {
  it('loads nothing more for plain text, tables and code without a language', async () => {
    const before = requests.length;
    await show('# Hi\n\nIt costs $5 and $10. **Bold**\n\n| a |\n|---|\n| 1 |\n\n```\nplain\n```\n');
    await settle();
    expect(requests.slice(before)).toEqual([]);
  });

  it('colours code without moving a line', async () => {
    await show('```ts\nconst answer: number = 42; // why\nreturn `yes`;\n```\n\nAfter');
    const before = await page.getByText('After').boundingBox();
    await page.locator('pre .md-keyword').first().waitFor();
    expect(await page.getByText('After').boundingBox()).toEqual(before);
    expect(await page.locator('pre').textContent()).toBe('const answer: number = 42; // why\nreturn `yes`;');
    expect(await page.locator('pre .md-comment').textContent()).toBe('// why');
  });

  it('colours the finished lines of code that still arrives, and all lines at its end', async () => {
    const text = '```python\ndef a():\n    """doc\n    more"""\n    return 1\nx = 2';
    for (let end = 4; end <= text.length; end += 3) await show(text.slice(0, end), true);
    await show(text, true);
    await page.locator('pre .md-keyword').nth(1).waitFor();
    expect(await page.locator('pre').textContent()).toBe(text.slice('```python\n'.length));
    await show(`${text}\n\`\`\``);
    await page.locator('pre .md-constant').nth(1).waitFor();
    expect(await page.locator('pre').textContent()).toBe(text.slice('```python\n'.length));
  });

  it('leaves code in an unknown language, and very long code, plain', async () => {
    await show(`\`\`\`nosuchlanguage\nlet a;\n\`\`\`\n\n\`\`\`js\n${'let a = 1;\n'.repeat(20_000)}\`\`\``);
    await settle();
    expect(await page.locator('pre span').count()).toBe(0);
  });

  it('copies code and says so', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await show('```js\nconst a = 1;\n```');
    await page.getByRole('button', { name: 'Copy JavaScript code' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1;');
  });

  it('wraps long lines on request', async () => {
    await show(`\`\`\`\n${'word '.repeat(100)}\n\`\`\``);
    const isScrolled = () => page.locator('pre').evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(await isScrolled()).toBe(true);
    await page.getByRole('button', { name: 'Wrap' }).click();
    expect(await isScrolled()).toBe(false);
  });

  it('draws formulas, and shows a broken one as written', async () => {
    await show('So $a^2+b^2=c^2$, and\n\n$$\n\\int_0^1 x\\,dx\n$$\n\nbut $a_{x$ is broken.');
    await page.locator('.katex-display').waitFor();
    // Each is drawn by itself, and the broken one is tried like the others.
    await page.locator('.katex').nth(1).waitFor();
    await page.getByTitle("Expected '}'").waitFor();
    expect(await page.locator('.katex').count()).toBe(2);
    expect(await page.getByTitle("Expected '}'").textContent()).toBe('$a_{x$');
    expect(await page.locator('.md').textContent()).toContain('is broken.');
  });

  it.each([
    ['a giant space', '\\[\\begin{pmatrix}a\\\\[99999em]\\end{pmatrix}\\]'],
    ['a giant rule', '$$\\rule{9999em}{9999em}$$'],
  ])('keeps %s inside its place', async (_name, text) => {
    await show(text);
    await page.locator('.katex').waitFor();
    const box = await page.locator('.md').boundingBox();
    expect(box?.height).toBeLessThan(700);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  it('makes no link of one in a formula', async () => {
    await show('$x_1$ and $\\href{javascript:alert(1)}{click}$');
    await page.locator('.katex').waitFor();
    await page.getByText('\\href{javascript:alert(1)}{click}').click();
    expect(await page.locator('.md a').count()).toBe(0);
  });

  it('spends a bounded time on mathematics', async () => {
    await show('$x_1$');
    await page.locator('.katex').waitFor();
    const rows = 'a&b&c&d&e&f\\\\'.repeat(260);
    const matrices = Array.from(
      { length: 32 },
      (_, index) => `$$\n\\begin{pmatrix}${rows}x_${index}\\end{pmatrix}\n$$\n\n`,
    );
    const layer = (name: string, next: string) => `\\def\\${name}{${`\\${next}`.repeat(10)}}`;
    const bomb = `$${layer('a', 'b')}${layer('b', 'c')}${layer('c', 'd')}\\def\\d{x_1}\\a$`;
    const tookMs = await show(`${matrices.join('')}${bomb}\n\nThe end`);
    // Without a budget it is more than a minute, and more on a machine that is slower.
    expect(tookMs).toBeLessThan(45_000);
    expect(await page.locator('.md-math').count()).toBeGreaterThan(16);
    expect(await page.getByText('The end').count()).toBe(1);
  });

  it('draws a diagram only once it is finished and in view', async () => {
    const filler = 'A line of text.\n\n'.repeat(120);
    await show(`${filler}\`\`\`mermaid\nflowchart LR\n  A[One] --> B[Two]\n`, true);
    await show(`${filler}\`\`\`mermaid\nflowchart LR\n  A[One] --> B[Two]\n\`\`\``);
    await page.getByText('Diagram', { exact: true }).waitFor();
    await settle();
    expect(loaded('assets/draw')).toBe(false);
    // With the wheel: to be scrolled to, an element would have to stay the same one.
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, 100_000);
    const image = page.getByRole('img', { name: /^Diagram: flowchart/ });
    await image.waitFor();
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Source' }).click();
    expect(await page.locator('pre').textContent()).toContain('A[One] --> B[Two]');
  });

  it('shows what is wrong with a diagram beside its source', async () => {
    await show('```mermaid\nflowchart LR\n  A[One --> \n```');
    await page.getByText('This diagram has an error').waitFor();
    expect(await page.locator('pre').textContent()).toContain('A[One -->');
    expect(await page.locator('body > :not(#root):not(script)').count()).toBe(0);
  });

  it.each([
    'flowchart LR\n  A@{ img: "https://attacker.example/a.png", label: "x" }',
    'flowchart LR\n  A["<img src=https://attacker.example/b.png>"]',
    'flowchart LR\n  A-->B\n  style A fill:url(https://attacker.example/c.png)',
    '%%{init: {"themeCSS": "@import \'https://attacker.example/d.css\';"}}%%\nflowchart LR\n  A-->B',
    'flowchart LR\n  A["`![x](https://attacker.example/e.png)`"]',
    'flowchart LR\n  A-->B\n  click A href "javascript:alert(1)"',
    'flowchart LR\n  A["<script>alert(1)</script>"]',
  ])('loads and runs nothing from a diagram: %s', async (source) => {
    await show(`\`\`\`mermaid\n${source}\n\`\`\``);
    await page.locator('.md-diagram img, .md-diagram-note').waitFor();
    await settle();
    expect(requests.filter((url) => !url.startsWith('http://127.0.0.1') && !url.startsWith('data:'))).toEqual([]);
  });

  it('draws the diagram anew when the theme changes', async () => {
    await show('```mermaid\npie title Votes\n "a" : 3\n "b" : 2\n```');
    const image = page.getByRole('img', { name: /^Diagram: pie/ });
    await image.waitFor();
    const light = await image.getAttribute('src');
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark';
    });
    await page.waitForFunction(
      (before) => document.querySelector('.md-diagram img')?.getAttribute('src') !== before,
      light,
    );
  });

  it('asks a remote server for an image only after a click', async () => {
    const asked: unknown[] = [];
    await page.route('**/api/remote-images', async (route) => {
      asked.push(route.request().postDataJSON());
      if (asked.length === 1) await route.fulfill({ status: 502, body: '{}' });
      else await route.fulfill({ contentType: 'image/png', body: onePixel });
    });
    await show('![Chart](https://images.example/p.png?leak=1) ![Other](//images.example/q.png)');
    await settle();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: /Chart.*images\.example/ }).click();
    await page.getByRole('button', { name: /Chart.*could not be loaded/ }).click();
    await page.getByRole('img', { name: 'Chart' }).waitFor();
    expect(asked).toEqual(Array(2).fill({ url: 'https://images.example/p.png?leak=1' }));
    // Not even then does the page itself call anybody else.
    expect(requests.filter((url) => url.includes('images.example'))).toEqual([]);
    complaints.splice(0);
  });

  it('renders the last paragraph again for an appended word, not those before it', async () => {
    const paragraph =
      'Some **bold** words, a [link](https://a.example) and `code`, long enough to wrap over a few lines.\n\n';
    await show(paragraph.repeat(50), true);
    const changed = await page.evaluate(async (start) => {
      const targets: Node[] = [];
      const observer = new MutationObserver((records) => targets.push(...records.map((record) => record.target)));
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      let value = start;
      for (let index = 0; index < 20; index += 1) {
        value += ` word${index}`;
        window.showMarkdown(value, true);
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
      const paragraphs = [...document.querySelectorAll('p')];
      return paragraphs
        .filter((element) => targets.some((target) => element.contains(target)))
        .map((element) => paragraphs.indexOf(element));
    }, paragraph.repeat(50));
    // The one before it was the last until then: it grows no more.
    expect(changed).toEqual([49, 50]);
  });

  it('hands the browser only what is new of a long paragraph', async () => {
    const start = 'Words without end, in one long paragraph. '.repeat(500);
    await show(start, true);
    const { appended, others, shown } = await page.evaluate(async (text) => {
      const appended: string[] = [];
      const { appendData } = CharacterData.prototype;
      CharacterData.prototype.appendData = function (data) {
        appended.push(data);
        appendData.call(this, data);
      };
      const records: MutationRecord[] = [];
      const observer = new MutationObserver((more) => records.push(...more));
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      for (let index = 1; index < 200; index += 1) window.showMarkdown(`${text}${'word '.repeat(index)}`, true);
      await new Promise((resolve) => setTimeout(resolve, 0));
      CharacterData.prototype.appendData = appendData;
      const others = records.length - appended.length;
      return { appended: appended.join(''), others, shown: document.querySelector('p')?.textContent };
    }, start);
    expect(shown).toBe(`${start}${'word '.repeat(199)}`.trim());
    expect(appended.trim().split(' ')).toHaveLength(199);
    expect(others).toBe(0);
  });

  it('shows a very long message at once, and formats it when asked', async () => {
    const unit = '## Heading\n\nA paragraph with **bold** text of the usual length.\n\n- item\n  - nested\n\n';
    const text = `${unit.repeat(Math.ceil(400_000 / unit.length))}The end`;
    await show(text);
    expect(await page.locator('h2').count()).toBe(0);
    await page.getByRole('button', { name: 'Show formatted' }).click();
    await page.locator('h2').first().waitFor();
    const isComplete = () => document.querySelector('.md')?.lastElementChild?.textContent?.endsWith('The end') ?? false;
    await page.waitForFunction(isComplete);
  });

  it.each(['light', 'dark'])('is accessible in the %s theme', async (theme) => {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await show(
      '# Title\n\nText with `code`, a [link](https://a.example), ~~old~~ and $x^2$.\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> quote\n\n' +
        '```ts\n/** Doc */\nexport const a: Map<string, number> = new Map([["x", 1]]); // note\nfunction f(b = 2) { return `b`; }\n```\n\n```diff\n- old\n+ new\n```\n\n' +
        '```mermaid\nflowchart LR\n  A --> B\n```\n\n![Chart](https://images.example/p.png)\n\n$a_{x$',
    );
    await page.locator('.katex').first().waitFor();
    await page.locator('pre .md-keyword').first().waitFor();
    await page.locator('.md-inserted').first().waitFor();
    await page.locator('.md-diagram img').waitFor();
    const { violations } = await new AxeBuilder({ page }).include('.md').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 120))])).toEqual([]);
  });

  it('fits a phone: what is wide scrolls by itself', async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await show(
      `${'long'.repeat(60)}\n\n| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n| ${'some value | '.repeat(12)}\n\n\`\`\`\n${'x'.repeat(300)}\n\`\`\`\n\n\`${'y'.repeat(200)}\`\n\n$$\n${'a+'.repeat(200)}b\n$$`,
    );
    await page.locator('.katex').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
