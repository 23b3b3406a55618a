/**
 * The form in which texts are compared: NFKC, full case folding, variation selectors dropped, marks kept, as и is not й
 * (product §9). Never stored in the place of a text; offsets do not survive it.
 */
const variationSelectors = /[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]/g;

/** Folds a text. Upper-casing first is what turns ß into ss and ſ into s; a final sigma becomes an ordinary one. */
export function foldText(text: string): string {
  if (isPlainLower(text)) return text;
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replace(variationSelectors, '');
}

/** Most words of most histories are this, and need no work. */
const isPlainLower = (text: string): boolean => /^[a-z0-9 .,:;/_-]*$/.test(text);
