/** PostgreSQL's text cannot hold NUL (product §2): it is dropped, everything else is stored as given. */
export function stripNul(text: string): string {
  return text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
}

/** `stripNul` through every string of a JSON value, keys included. */
export function stripNulDeep<T>(value: T): T {
  if (typeof value === 'string') return stripNul(value) as T;
  if (Array.isArray(value)) return value.map(stripNulDeep) as T;
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [stripNul(key), stripNulDeep(inner)])) as T;
  }
  return value;
}

/** The first `limit` characters on one line, with an ellipsis when something was cut. Never splits a surrogate pair. */
export function previewOf(text: string, limit = 140): string {
  const line = text
    .slice(0, limit * 4)
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
