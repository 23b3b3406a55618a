/** The named references that occur in written text. Others stay as written: decoding all 2,231 would cost more than it gives. */
const NAMED = new Map(
  (
    'amp& lt< gt> quot" apos\' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» bull• middot· ' +
    'times× divide÷ plusmn± minus− deg° microµ para¶ sect§ euro€ pound£ yen¥ cent¢ larr← uarr↑ rarr→ darr↓ harr↔ rArr⇒ hArr⇔ ' +
    'infin∞ ne≠ le≤ ge≥ asymp≈ equiv≡ sum∑ prod∏ radic√ int∫ part∂ nabla∇ isin∈ forall∀ exist∃ empty∅ cap∩ cup∪ sub⊂ sup⊃ and∧ or∨ not¬ ' +
    'alphaα betaβ gammaγ deltaδ epsilonε thetaθ lambdaλ muμ piπ rhoρ sigmaσ tauτ phiφ chiχ psiψ omegaω DeltaΔ SigmaΣ OmegaΩ ' +
    'frac12½ frac14¼ frac34¾ sup2² sup3³ szligß auml\u00e4 ouml\u00f6 uuml\u00fc Auml\u00c4 Ouml\u00d6 Uuml\u00dc eacuteé egraveè agraveà ccedilç ntildeñ ' +
    'lbrack[ rbrack] lbrace{ rbrace} ast* lowbar_ grave` dollar$ num# star☆ check✓ cross✗ hearts♥ shy\u00ad ensp\u2002 emsp\u2003 zwnj\u200c zwj\u200d'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const),
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,31}));/y;

/** Reads a character reference (`&amp;`, `&#35;`) at `offset`; null when there is none that is known. */
export function readReference(text: string, offset: number): { text: string; endOffset: number } | null {
  REFERENCE.lastIndex = offset;
  const match = REFERENCE.exec(text);
  if (!match) return null;
  const endOffset = offset + match[0].length;
  if (match[3]) {
    const named = NAMED.get(match[3]);
    return named === undefined ? null : { text: named, endOffset };
  }
  const code = match[1] ? Number.parseInt(match[1], 10) : Number.parseInt(match[2] ?? '0', 16);
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return { text: isScalar ? String.fromCodePoint(code) : '\ufffd', endOffset };
}

export const ESCAPABLE = /[!-/:-@[-`{-~]/;

/** Resolves backslash escapes and character references in an address, a title or a fence's language. */
export function decodeEscapes(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  let out = '';
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '\\' && ESCAPABLE.test(text.charAt(index + 1))) {
      index += 1;
      out += text.charAt(index);
    } else if (char === '&') {
      const reference = readReference(text, index);
      out += reference?.text ?? char;
      if (reference) index = reference.endOffset - 1;
    } else {
      out += char;
    }
  }
  return out;
}
