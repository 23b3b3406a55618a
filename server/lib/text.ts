/**
 * What PostgreSQL can hold of a text: NUL is dropped (product §2), half surrogate pairs become U+FFFD, as UTF-8 has no
 * place for them and `jsonb` refuses them. Everything else is stored as given.
 */
export function storable(text: string): string {
  const withoutNul = text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** `storable` through every string of a JSON value, keys included. */
export function storableDeep<T>(value: T): T {
  if (typeof value === 'string') return storable(value) as T;
  if (Array.isArray(value)) return value.map(storableDeep) as T;
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storableDeep(inner)])) as T;
  }
  return value;
}

/** The first `limit` characters on one line, with an ellipsis when something was cut. Never splits a surrogate pair. */
export function previewOf(text: string, limit = 140): string {
  const line = text
    .slice(0, limit * 4)
    // The cut may have split a pair.
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > limit
    ? `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
    : line;
}
