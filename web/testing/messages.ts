/** Messages as pages hold them, for tests: plain ones, with what a test cares about on top. */

import type { PagedMessage } from '../../server/domains/messages/schema';
import { createMessage } from '../../server/domains/messages/testing/messages';

export const createPagedMessage = (sequenceNumber: number, changes: Partial<PagedMessage> = {}): PagedMessage => ({
  ...createMessage(sequenceNumber),
  variants: null,
  ...changes,
});
