/** Where a message stands among the rows. Pure. */
import { readMarker } from '../stream/compression';
import type { TranscriptItem } from '../stream/items';

/** The first message that a row shows; null for one that shows none yet. */
export function sequenceOf(item: TranscriptItem): number | null {
  switch (item.kind) {
    case 'status':
    case 'gap':
      return null;
    case 'compression':
      return item.marker?.sequenceNumber ?? null;
    case 'steps': {
      for (const entry of item.entries) {
        const result = entry.kind === 'call' ? entry.view.result : null;
        if (result !== null) return result.sequenceNumber;
      }
      return null;
    }
    default:
      return item.message?.sequenceNumber ?? null;
  }
}

/** The row that shows a message, or stands where it would: tool calls share a row, a summary is in its card. -1 when none. */
export function indexOfSequence(items: readonly TranscriptItem[], sequenceNumber: number): number {
  let at = -1;
  for (const [index, item] of items.entries()) {
    if (item.kind === 'foot') continue;
    const sequence = sequenceOf(item);
    if (sequence === sequenceNumber) return index;
    if (item.kind === 'compression' && item.marker !== null) {
      if (readMarker(item.marker)?.summarySequence === sequenceNumber) return index;
    }
    if (sequence !== null && sequence < sequenceNumber) at = index;
  }
  return at === -1 && items.length > 0 ? 0 : at;
}
