/** The part of a file that a request asks for (RFC 9110 §14). One range; who asks for several gets the whole file, which the standard allows. */

export type RequestedRange =
  | { kind: 'whole' }
  /** `end` is the last byte, inclusive. */
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/** @param ifRange the validator that the client's part belongs to; another file by now is sent whole. */
export function requestedRange(
  header: string | undefined,
  sizeBytes: number,
  { ifRange, etag }: { ifRange?: string | undefined; etag: string },
): RequestedRange {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return { kind: 'whole' };
  if (ifRange !== undefined && ifRange !== etag) return { kind: 'whole' };
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), sizeBytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? sizeBytes - 1 : Math.min(Number(match[2]), sizeBytes - 1);
  // A range that ends before it begins is no range at all, not one that cannot be satisfied.
  if (match[2] !== '' && Number(match[2]) < start) return { kind: 'whole' };
  return start >= sizeBytes ? { kind: 'unsatisfiable' } : { kind: 'part', start, end };
}

/** Whether `If-None-Match` names this very content. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
