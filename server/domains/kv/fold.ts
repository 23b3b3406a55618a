/** Text in one comparable form. Pure. Case folds in every script, and marks count: й is not и. */

import { storable } from '../../lib/text';

/** Composed compatibility form in lower case, through upper case so that ß and ss, ς and σ meet; variation selectors dropped. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu, '');
}

/** A test for texts that hold any of the terms literally. No terms, or only empty ones: every text. */
export function createTermMatcher(terms: readonly string[]): (text: string) => boolean {
  const needles = terms.map((term) => foldText(storable(term).trim())).filter((needle) => needle !== '');
  if (needles.length === 0) return () => true;
  return (text) => {
    const folded = foldText(text);
    return needles.some((needle) => folded.includes(needle));
  };
}
