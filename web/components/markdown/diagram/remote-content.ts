/** Ways in which a diagram's source can make the browser load an address while it is drawn. */
const PATTERNS = [
  /url\s*\(/i,
  /@import/i,
  /\bimg\s*:/i,
  /<\s*(?:img|image|iframe|object|embed|link|style|script|video|audio|source|svg|use)\b/i,
  /!\[[^\]]*\]\(/,
  /\$sprite\s*=/i,
];

/** True when drawing the source could load something from another place. */
export function findRemoteContent(source: string): boolean {
  const plain = source.replace(/\\[0-9a-f]{1,6}\s?/gi, '');
  return PATTERNS.some((pattern) => pattern.test(source) || pattern.test(plain));
}
