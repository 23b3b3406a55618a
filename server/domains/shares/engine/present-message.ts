/**
 * What a share shows of a message. Pure. Every field is written down here one by one; nothing is ever spread, so that a
 * field that is added to messages stays inside until somebody decides otherwise. What never leaves, and why:
 * docs/decisions/0041-shares.md.
 */
import { artifactSchema, fileKindSchema } from '../../files/schema';
import type { Attachment, Message, ToolCall } from '../../messages/schema';
import type { SharedFile, SharedMessage } from '../schema';

/** Service records that a share shows; any other stays inside. */
export const sharedSources: ReadonlySet<string> = new Set([
  'compression',
  'memory_recall',
  'synapse_event',
  'task_note',
  'profile_switched',
  'model_switched',
  'stopped',
  'interrupted',
]);
/** Interactive components are for the person in the chat: neither the calls nor their results are shown. */
const INTERACTIVE_TOOLS: ReadonlySet<string> = new Set(['render_component']);
/** What these find may be quoted from the person's other chats, or from branches that were left behind. */
const MEMORY_TOOLS: ReadonlySet<string> = new Set(['memory_search', 'memory_read']);
const MEMORY_ARGUMENTS: ReadonlySet<string> = new Set(['query', 'scope', 'from', 'to']);
export const WITHHELD = 'Not part of the share: what memory finds may come from other chats.';

/**
 * Null for a message that a share does not show. `hide` replaces what must not be read wherever it stands in a text: ids
 * of the session and its owner, as a person may have pasted the chat's own address into it.
 */
export function presentMessage(message: Message, hide: (text: string) => string): SharedMessage | null {
  const { metadata, role } = message;
  const source = role === 'system' ? (metadata.source ?? '') : null;
  if (!message.isDisplay || message.supersededBy !== null || message.isSummary) return null;
  if (source !== null && !sharedSources.has(source)) return null;
  if (role === 'tool' && INTERACTIVE_TOOLS.has(message.name ?? '')) return null;
  const compression = message.isCompression ? presentCompression(metadata) : null;
  if (source === 'compression' && compression === null) return null;
  return {
    sequenceNumber: message.sequenceNumber,
    role,
    content: hide(presentContent(message)),
    createdAt: message.createdAt,
    isPlan: message.isPlan,
    thinking: message.thinking === null ? null : hide(message.thinking),
    thinkingMs: metadata.thinkingMs ?? null,
    toolCalls: presentCalls(message.toolCalls, hide),
    toolCallId: message.toolCallId,
    name: message.name,
    toolStatus: metadata.toolStatus ?? null,
    durationMs: metadata.durationMs ?? null,
    images: message.images?.map((image) => presentFile(image, image.id, hide)) ?? null,
    files: message.files?.map((file) => presentFile(file, null, hide)) ?? null,
    artifact: presentArtifact(message, hide),
    elapsedSeconds: message.elapsedSeconds,
    toolCallCount: message.toolCallCount,
    isStopped: metadata.stopped === true,
    isInterrupted: metadata.interrupted === true,
    cutBy: metadata.cutBy ?? null,
    errorCode: metadata.error?.code ?? null,
    source,
    planSteps:
      metadata.planSteps?.map(({ text, executor }) => ({
        text: hide(text),
        executor: executor === null ? null : { kind: executor.kind, name: executor.name },
      })) ?? null,
    compression,
  };
}

/** Ids of the files that the holder of a share may fetch because of this message. */
export function filesShownBy(message: SharedMessage): string[] {
  return [...(message.images ?? []), message.artifact].flatMap((file) => file?.id ?? []);
}

function presentContent(message: Message): string {
  if (message.role === 'tool' && MEMORY_TOOLS.has(message.name ?? '')) return WITHHELD;
  const { source } = message.metadata;
  // The card says it in numbers; the recalled passages are part of the context, which stays inside.
  return message.role === 'system' && (source === 'compression' || source === 'memory_recall') ? '' : message.content;
}

function presentCalls(calls: ToolCall[] | null, hide: (text: string) => string): SharedMessage['toolCalls'] {
  const shown = (calls ?? []).filter((call) => !INTERACTIVE_TOOLS.has(call.name));
  if (shown.length === 0) return null;
  return shown.map(({ id, name, arguments: given }) => ({
    id,
    name,
    arguments: hideDeep(MEMORY_TOOLS.has(name) ? pick(given, MEMORY_ARGUMENTS) : given, hide),
  }));
}

function presentFile(file: Attachment, id: string | null, hide: (text: string) => string): SharedFile {
  const kind = fileKindSchema.safeParse(file.kind);
  return {
    id,
    name: hide(file.name),
    kind: kind.success ? kind.data : 'other',
    mimeType: file.mimeType,
    sizeBytes: file.sizeBytes,
  };
}

function presentArtifact(message: Message, hide: (text: string) => string): SharedMessage['artifact'] {
  const parsed = artifactSchema.safeParse(message.role === 'tool' ? message.metadata.artifact : null);
  if (!parsed.success) return null;
  const { id, name, kind, mimeType, sizeBytes, title, mode } = parsed.data;
  return {
    id: mode === 'published' ? id : null,
    name: hide(name),
    kind,
    mimeType,
    sizeBytes,
    title: title === null ? null : hide(title),
  };
}

/** Null for one that came to nothing: its card only helps the person in the chat. */
function presentCompression(metadata: Message['metadata']): SharedMessage['compression'] {
  const { compression } = metadata;
  if (typeof compression !== 'object' || compression === null) return null;
  const facts = compression as Record<string, unknown>;
  if (facts.status !== 'done') return null;
  const model = textOf(facts.model) ?? '';
  return {
    trigger: textOf(facts.trigger) ?? '',
    method: textOf(facts.method),
    // Without the connection, which names somebody's machine.
    model: model.slice(model.indexOf('/') + 1),
    durationMs: numberOf(facts.durationMs),
    tokensBefore: numberOf(facts.tokensBefore) ?? 0,
    tokensAfter: numberOf(facts.tokensAfter),
    messagesBefore: numberOf(facts.messagesBefore) ?? 0,
    messagesAfter: numberOf(facts.messagesAfter),
    isUndone: typeof metadata.undoneAt === 'string' || typeof facts.undoneAt === 'string',
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function pick(value: unknown, keys: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key)));
}

/** `hide` through every string of a JSON value, keys included. */
function hideDeep(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((inner) => hideDeep(inner, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [hide(key), hideDeep(inner, hide)]));
}

/** Replaces every one of `secrets` in a text; the short ones would only tear words apart. */
export function createHiding(secrets: readonly (string | null)[]): (text: string) => string {
  const long = secrets.filter((secret) => secret !== null && secret.length >= 16) as string[];
  return (text) => long.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
