/** The compression of a chat while it happens, and which compression covers which message. Pure. */
import type { Compression } from '../../../../server/domains/compression/schema';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import type { Snapshot, StoredEvent } from '../../../../server/events/topics';
import type { ChatState, CompressionInView } from './state';

type CompressionEvent = Extract<
  StoredEvent,
  { kind: 'compression-start' | 'compression-progress' | 'compression-end' }
>;

export function compressionFromSnapshot({ compression, run }: Snapshot): CompressionInView | null {
  if (compression === null || compression === undefined) return null;
  return { facts: compression, progress: null, end: null, isBetweenTurns: run === null };
}

export function foldCompression(state: ChatState, event: CompressionEvent): CompressionInView | null {
  const { compression } = state;
  if (event.kind === 'compression-start') {
    const { kind: _, ...facts } = event;
    return { facts, progress: null, end: null, isBetweenTurns: state.live === null };
  }
  // Of one whose start was not seen, and which is not the live one, the card among the messages tells.
  if (compression?.facts.compressionId !== event.compressionId) return compression;
  if (event.kind === 'compression-end') return { ...compression, end: event.compression };
  const { phase, attempt, part, parts } = event;
  return { ...compression, progress: { phase, attempt, part, parts } };
}

/** What a card among the messages says of its compression; null for a message that is none. */
export function readMarker(message: PagedMessage): Compression | null {
  if (!message.isCompression || message.role !== 'system') return null;
  const { compression, compressionId, undoneAt } = message.metadata;
  if (typeof compression !== 'object' || compression === null || typeof compressionId !== 'string') return null;
  // In a fork the card is a copy: its own id and place are those of the message.
  return {
    ...(compression as Compression),
    coveredRanges: (compression as Partial<Compression>).coveredRanges ?? [],
    id: compressionId,
    markerSequence: message.sequenceNumber,
    undoneAt: typeof undoneAt === 'string' ? undoneAt : null,
  };
}

/** Finds the card of the compression in force that took a message out of the context. */
export function coverageOf(markers: readonly PagedMessage[]): (sequenceNumber: number) => PagedMessage | null {
  const ranges = markers
    .flatMap((marker) => {
      const compression = readMarker(marker);
      if (compression === null || compression.status !== 'done' || compression.undoneAt !== null) return [];
      return compression.coveredRanges.map(([from, to]) => ({ from, to, marker }));
    })
    .sort((a, b) => a.from - b.from);
  return (sequenceNumber) => {
    let low = 0;
    let high = ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = ranges[middle];
      if (range === undefined) return null;
      if (sequenceNumber < range.from) high = middle - 1;
      else if (sequenceNumber > range.to) low = middle + 1;
      else return range.marker;
    }
    return null;
  };
}
