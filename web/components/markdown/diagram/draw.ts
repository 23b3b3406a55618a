/** Draws Mermaid diagrams into images. Loaded with the first diagram that comes into view. */
import mermaid from 'mermaid';
import { readColours } from './colours';
import { findRemoteContent } from './remote-content';

export type DrawResult =
  | { state: 'drawn'; url: string; widthPx: number; heightPx: number }
  | { state: 'failed'; reason: string };

/** Longer sources take seconds to lay out. */
const MAX_SOURCE_LENGTH = 20_000;
const MAX_EDGES = 400;

let count = 0;
/** Mermaid keeps one configuration and one parser for the page: drawings wait for each other. */
let queue: Promise<unknown> = Promise.resolve();

/** Draws a diagram in the page's present colours. Does not throw: what is wrong comes back as words. */
export function drawDiagram(source: string): Promise<DrawResult> {
  const drawing = queue.then(() => draw(source));
  queue = drawing;
  return drawing;
}

async function draw(source: string): Promise<DrawResult> {
  if (source.length > MAX_SOURCE_LENGTH) return { state: 'failed', reason: 'This diagram is too large to be drawn.' };
  if (findRemoteContent(source)) {
    return { state: 'failed', reason: 'This diagram asks for content from elsewhere, so it is not drawn.' };
  }
  const holder = document.createElement('div');
  holder.setAttribute('aria-hidden', 'true');
  holder.className = 'md-diagram-workshop';
  document.body.append(holder);
  try {
    configure();
    count += 1;
    const { svg } = await mermaid.render(`md-diagram-${count}`, source, holder);
    return toImage(svg);
  } catch (error) {
    return { state: 'failed', reason: `This diagram has an error: ${shorten(error)}` };
  } finally {
    holder.remove();
  }
}

function configure() {
  const colours = readColours();
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: MAX_SOURCE_LENGTH,
    maxEdges: MAX_EDGES,
    htmlLabels: false,
    look: 'classic',
    // Mermaid's own choice for flow charts, ELK, is half a megabyte more.
    layout: 'dagre',
    theme: 'base',
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    darkMode: colours.isDark,
    themeVariables: colours.variables,
    // Directives in the source may not bring in styles: they could load addresses.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'themeCSS',
      'themeVariables',
      'fontFamily',
      'altFontFamily',
      'theme',
      'look',
      'layout',
      'darkMode',
      'dompurifyConfig',
    ],
    flowchart: { htmlLabels: false, useMaxWidth: false },
  });
}

function toImage(svg: string): DrawResult {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const box = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const widthPx = Math.ceil(box[2] ?? 0);
  const heightPx = Math.ceil(box[3] ?? 0);
  if (root.nodeName !== 'svg' || !(widthPx > 0) || !(heightPx > 0)) {
    return { state: 'failed', reason: 'This diagram has nothing to show.' };
  }
  root.setAttribute('width', String(widthPx));
  root.setAttribute('height', String(heightPx));
  root.removeAttribute('style');
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
  return { state: 'drawn', url, widthPx, heightPx };
}

function shorten(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = '', ...rest] = message.split('\n');
  const expectation = rest.find((line) => line.startsWith('Expecting'));
  return `${first.replace(/:$/, '')}${expectation ? `. ${expectation.slice(0, 160)}` : ''}`.slice(0, 240);
}
