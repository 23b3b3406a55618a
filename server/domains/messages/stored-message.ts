/** A message as the tables hold it, and the ways in and out of that shape. */
import { storable, storableDeep } from '../../lib/text';
import type { Attachment, Message, MessageMetadata, MessageRole, ToolCall } from './schema';
import { attachmentSchema, messageMetadataSchema, toolCallSchema } from './schema';

/** A message before it has a number. Flags default to a plain message: displayed and in context. */
export interface MessageDraft {
  role: MessageRole;
  content: string;
  thinking?: string | null;
  toolCalls?: ToolCall[] | null;
  toolCallId?: string | null;
  name?: string | null;
  files?: Attachment[] | null;
  images?: Attachment[] | null;
  metadata?: MessageMetadata;
  isDisplay?: boolean;
  isContext?: boolean;
  isPlan?: boolean;
  isCompressionCritical?: boolean;
  isSummary?: boolean;
  isCompression?: boolean;
  tokenCount?: number | null;
}

/** A row of either table. JSON columns are checked on the way out. */
export interface StoredMessage {
  sequenceNumber: number;
  role: MessageRole;
  content: string;
  createdAt: Date;
  isDisplay: boolean;
  isContext: boolean;
  isPlan: boolean;
  isCompression: boolean;
  isSummary: boolean;
  isCompressionCritical: boolean;
  isRecall: boolean;
  thinking: string | null;
  toolCalls: unknown;
  toolCallId: string | null;
  name: string | null;
  files: unknown;
  images: unknown;
  elapsedSeconds: number | null;
  toolCallCount: number | null;
  tokenCount: number | null;
  metadata: unknown;
  supersededBy: number | null;
  branchId: number | null;
}

export function toMessage(row: StoredMessage): Message {
  return {
    sequenceNumber: row.sequenceNumber,
    role: row.role,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    isDisplay: row.isDisplay,
    // A superseded message keeps its flag for the day its branch returns; it is in no context until then.
    isContext: row.isContext && row.supersededBy === null,
    isPlan: row.isPlan,
    isCompression: row.isCompression,
    isSummary: row.isSummary,
    isCompressionCritical: row.isCompressionCritical,
    isRecall: row.isRecall,
    thinking: row.thinking,
    toolCalls: row.toolCalls === null ? null : toolCallSchema.array().parse(row.toolCalls),
    toolCallId: row.toolCallId,
    name: row.name,
    files: row.files === null ? null : attachmentSchema.array().parse(row.files),
    images: row.images === null ? null : attachmentSchema.array().parse(row.images),
    elapsedSeconds: row.elapsedSeconds,
    toolCallCount: row.toolCallCount,
    tokenCount: row.tokenCount,
    metadata: messageMetadataSchema.parse(row.metadata),
    supersededBy: row.supersededBy,
    branchId: row.branchId,
  };
}

/** A draft as the row it becomes, but for its number. */
export function toNewRow(draft: MessageDraft, position: number) {
  const json = (value: unknown) => (value == null ? null : (storableDeep(value) as unknown));
  return {
    position,
    role: draft.role,
    content: storable(draft.content),
    thinking: draft.thinking == null ? null : storable(draft.thinking),
    toolCalls: json(draft.toolCalls),
    toolCallId: draft.toolCallId == null ? null : storable(draft.toolCallId),
    name: draft.name == null ? null : storable(draft.name),
    files: json(draft.files),
    images: json(draft.images),
    metadata: json(draft.metadata ?? {}),
    isDisplay: draft.isDisplay ?? true,
    isContext: draft.isContext ?? true,
    isPlan: draft.isPlan ?? false,
    isCompressionCritical: draft.isCompressionCritical ?? false,
    isSummary: draft.isSummary ?? false,
    isCompression: draft.isCompression ?? false,
    tokenCount: draft.tokenCount ?? null,
  };
}
