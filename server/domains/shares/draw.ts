/** The first screen of a share as HTML, by the very components of its page, so that it can be read before their scripts are there. */
import { pathToFileURL } from 'node:url';
import type { ShareView } from './schema';

export interface DrawOptions {
  /** The built `web/share/draw-share.tsx`, a module with `drawShare(view)`. */
  modulePath: string;
  reportUnexpected(error: unknown): void;
}

/**
 * A screen that cannot be drawn is left to the page: ''. So is the first one, which would wait until the module is loaded.
 */
export function createShareDrawing({ modulePath, reportUnexpected }: DrawOptions): (view: ShareView) => string {
  let isAsked = false;
  let draw: (view: ShareView) => string = () => '';
  async function load(): Promise<void> {
    const module = (await import(pathToFileURL(modulePath).href)) as { drawShare(view: ShareView): string };
    draw = module.drawShare;
  }
  return (view) => {
    if (!isAsked) load().catch(reportUnexpected);
    isAsked = true;
    try {
      return draw(view);
    } catch (error) {
      reportUnexpected(error);
      return '';
    }
  };
}
