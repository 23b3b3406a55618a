/** From shared messages to the rows of a transcript, by the very rules of the owner's own. Pure. */
import type { PagedMessage } from '../../server/domains/messages/schema';
import type { SharedMessage } from '../../server/domains/shares/schema';
import { buildItems, type TranscriptItem } from '../features/chat/stream/items';
import { initialChatState } from '../features/chat/stream/state';

/** What the transcript's rules read of a message; all that a share does not tell has its plainest value. */
function toMessage(shared: SharedMessage): PagedMessage {
  const { artifact, compression, errorCode, planSteps, source } = shared;
  return {
    sequenceNumber: shared.sequenceNumber,
    role: shared.role,
    content: shared.content,
    createdAt: shared.createdAt,
    isDisplay: true,
    isContext: true,
    isPlan: shared.isPlan,
    isCompression: compression !== null,
    isSummary: false,
    isCompressionCritical: false,
    isRecall: false,
    thinking: shared.thinking,
    toolCalls: shared.toolCalls,
    toolCallId: shared.toolCallId,
    name: shared.name,
    files: null,
    images: null,
    elapsedSeconds: shared.elapsedSeconds,
    toolCallCount: shared.toolCallCount,
    tokenCount: null,
    metadata: {
      ...(source === null ? {} : { source }),
      ...(shared.isStopped ? { stopped: true } : {}),
      ...(shared.isInterrupted ? { interrupted: true } : {}),
      ...(shared.cutBy === null ? {} : { cutBy: shared.cutBy }),
      ...(errorCode === null ? {} : { error: { code: errorCode, message: '' } }),
      ...(planSteps === null ? {} : { planSteps: planSteps as NonNullable<PagedMessage['metadata']['planSteps']> }),
      ...(shared.thinkingMs === null ? {} : { thinkingMs: shared.thinkingMs }),
      ...(shared.toolStatus === null
        ? {}
        : { toolStatus: shared.toolStatus as NonNullable<PagedMessage['metadata']['toolStatus']> }),
      ...(shared.durationMs === null ? {} : { durationMs: shared.durationMs }),
      ...(compression === null
        ? {}
        : {
            compressionId: String(shared.sequenceNumber),
            compression: { ...compression, status: 'done' },
            ...(compression.isUndone ? { undoneAt: shared.createdAt } : {}),
          }),
      ...(artifact === null ? {} : { artifact }),
      // Files as the share knows them: without an id where it does not give them.
      shared: { images: shared.images, files: shared.files, artifact },
    },
    supersededBy: null,
    branchId: null,
    variants: null,
  };
}

export type ShownFiles = Pick<SharedMessage, 'images' | 'files' | 'artifact'>;

/** The files beside a message. */
export const filesOf = (message: PagedMessage): ShownFiles => message.metadata.shared as ShownFiles;

/** The rows of everything that was read so far; those that did not change keep their identity. */
export function createRows(): (messages: readonly SharedMessage[]) => readonly TranscriptItem[] {
  const known = new Map<SharedMessage, PagedMessage>();
  let items: readonly TranscriptItem[] = [];
  const toKnown = (shared: SharedMessage): PagedMessage => {
    const message = known.get(shared) ?? toMessage(shared);
    known.set(shared, message);
    return message;
  };
  return (messages) => {
    items = buildItems({ ...initialChatState(''), isLoaded: true, messages: messages.map(toKnown) }, items);
    return items;
  };
}
