import type { Message, PagedMessage } from '../schema';

/**
 * Puts the variant switcher on the message that opens a branch with siblings: the first current one after their fork.
 * `groups`: sibling branch ids, oldest first, by the sequence number they fork after. `previousSequence`: the current
 * message right before the page, 0 when the page starts the history.
 */
export function withVariants(
  messages: readonly Message[],
  groups: ReadonlyMap<number, number[]>,
  previousSequence: number,
): PagedMessage[] {
  const groupOf = new Map<number, { fork: number; branchIds: number[] }>();
  for (const [fork, branchIds] of groups) for (const id of branchIds) groupOf.set(id, { fork, branchIds });
  let previous = previousSequence;
  return messages.map((message) => {
    const before = previous;
    previous = message.sequenceNumber;
    const group = message.branchId === null ? undefined : groupOf.get(message.branchId);
    if (group === undefined || message.branchId === null || before > group.fork) return { ...message, variants: null };
    return { ...message, variants: { index: group.branchIds.indexOf(message.branchId), branchIds: group.branchIds } };
  });
}
