/** What a page is before and after the click that lets its scripts run. */
import { readText } from '../use-file';

export interface ReadPage {
  /** As it was written. */
  text: string;
  /** Without its script elements. What keeps scripts from running is the frame's sandbox; this keeps the browser from saying so. */
  still: string;
  /** Whether running would make a difference: script elements, handlers, or addresses that are scripts. */
  hasScripts: boolean;
}

export async function readPage(blob: Blob): Promise<ReadPage> {
  const text = await readText(blob);
  // A document of its own without a window: nothing in it runs or loads.
  const page = new DOMParser().parseFromString(text, 'text/html');
  const scripts = page.querySelectorAll('script');
  const hasScripts = scripts.length > 0 || /\son[a-z]+\s*=|javascript:/i.test(text);
  for (const script of scripts) script.remove();
  return { text, still: page.documentElement.outerHTML, hasScripts };
}

/**
 * A drawing as a page in which its scripts can run. It is read as the XML that it is and written as HTML: an element that
 * closes itself would swallow the rest otherwise. What is no XML is left to the browser as it stands.
 */
export function drawingAsPage(svg: string): string {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const page = document.implementation.createHTMLDocument();
  page.body.append(page.adoptNode(root));
  const isBroken = page.querySelector('parsererror') !== null;
  return `<!doctype html><meta charset="utf-8"><style>html,body{height:100%;margin:0}body{display:grid;place-items:center}svg{max-width:100%;max-height:100%}</style>${isBroken ? svg : page.body.innerHTML}`;
}
