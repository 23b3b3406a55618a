import { renderToStaticMarkup } from 'react-dom/server';
import type { ShareView } from '../../server/domains/shares/schema';
import { createShareClient } from './share-client';
import { SharePage } from './share-page';

/**
 * Runs in the server: the header and the first screen of a share as HTML, which `boot.js` shows until the page itself draws the
 * same. What depends on the reader's clock and language is left blank. Nothing that a browser has may be touched by what this
 * imports, until it is used.
 */
export function drawShare({ page, ...view }: ShareView): string {
  const now = { kind: 'shown', view, ...page } as const;
  return renderToStaticMarkup(
    <SharePage client={createShareClient('')} opening={{ now, end: Promise.resolve(now) }} />,
  );
}
