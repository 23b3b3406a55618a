/** Every key of a JSON value with the way to it, lists as `[]`; what stands below `opaque` keys is not looked at. */
export function keyPaths(value: unknown, opaque: readonly string[] = [], at = ''): string[] {
  if (Array.isArray(value)) return unique(value.flatMap((inner) => keyPaths(inner, opaque, `${at}[]`)));
  if (typeof value !== 'object' || value === null) return [];
  return unique(
    Object.entries(value).flatMap(([key, inner]) => {
      const path = at === '' ? key : `${at}.${key}`;
      return [path, ...(opaque.includes(key) ? [] : keyPaths(inner, opaque, path))];
    }),
  ).sort();
}

const unique = (paths: string[]): string[] => [...new Set(paths)];
