/** When two rows show the same: the older one is kept, and nothing is painted. Pure. */
import type { StepEntry, TranscriptItem } from './items';

export function isSameItem(a: TranscriptItem, b: TranscriptItem): boolean {
  if (a.kind === 'steps' && b.kind === 'steps') {
    return (
      a.isInContext === b.isInContext &&
      a.coveredBy === b.coveredBy &&
      a.isOpenEnded === b.isOpenEnded &&
      a.entries.length === b.entries.length &&
      a.entries.every((entry, index) => isSameEntry(entry, b.entries[index]))
    );
  }
  return isShallowEqual(a, b);
}

function isSameEntry(a: StepEntry, b: StepEntry | undefined): boolean {
  if (b === undefined) return false;
  if (a.kind === 'call' && b.kind === 'call') return isShallowEqual(a.view, b.view);
  return isShallowEqual(a, b);
}

function isShallowEqual(a: object, b: object): boolean {
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  return left.length === Object.keys(b).length && left.every(([key, value]) => Object.is(value, right[key]));
}
