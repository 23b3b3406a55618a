/** What a person is writing, kept per chat in this browser until the server has it. */
import type { FileRef } from '../../../../server/domains/files/schema';
import { newId } from '../../../lib/ids';
import { onStoredElsewhere, readStoredJson, writeStored } from '../../../lib/storage';

export interface Draft {
  text: string;
  /** Uploaded and to be sent along. */
  files: readonly FileRef[];
  /** Fixed with the first attempt to send this text, and sent again with every further one: the server stores it once. */
  clientMessageId: string | null;
  /** The chat that was created for this draft: by its first file, or when creating worked and sending did not. */
  sessionId: string | null;
  /** The person pressed send; it goes out as soon as the server can be reached. */
  isWanted: boolean;
}

export const emptyDraft: Draft = { text: '', files: [], clientMessageId: null, sessionId: null, isWanted: false };

const keyOf = (sessionId: string | null): string => `draft.${sessionId ?? 'new'}`;

export function loadDraft(sessionId: string | null): Draft {
  const stored = readStoredJson(keyOf(sessionId));
  if (typeof stored !== 'object' || stored === null) return emptyDraft;
  const { text, files, clientMessageId, sessionId: created, isWanted } = stored as Record<string, unknown>;
  if (typeof text !== 'string') return emptyDraft;
  return {
    text,
    files: Array.isArray(files) ? files.filter(isFileRef) : [],
    clientMessageId: typeof clientMessageId === 'string' ? clientMessageId : null,
    sessionId: typeof created === 'string' ? created : null,
    isWanted: isWanted === true,
  };
}

const isFileRef = (value: Partial<FileRef> | null): value is FileRef =>
  typeof value?.id === 'string' && typeof value.name === 'string' && typeof value.kind === 'string';

export function saveDraft(sessionId: string | null, draft: Draft): void {
  writeStored(keyOf(sessionId), isEmptyDraft(draft) ? null : JSON.stringify(draft));
}

/** Tells that another tab wrote the draft of this chat, or sent it. The returned function ends that. */
export const onDraftElsewhere = (sessionId: string | null, listener: () => void) =>
  onStoredElsewhere(keyOf(sessionId), listener);

/** Nothing that could be sent. */
export const isEmptyDraft = (draft: Draft): boolean => draft.text.trim() === '' && draft.files.length === 0;

/** Another text is another message: it gets its own id when it is sent. */
export function withText(draft: Draft, text: string): Draft {
  if (text === draft.text) return draft;
  return { ...draft, text, clientMessageId: null, isWanted: false };
}

/** With other files it is another message as well. */
export function withFiles(draft: Draft, files: readonly FileRef[]): Draft {
  return { ...draft, files, clientMessageId: null, isWanted: false };
}

/** Ready to be sent: has an id, which stays until text or files change. */
export function wanted(draft: Draft): Draft & { clientMessageId: string } {
  return { ...draft, clientMessageId: draft.clientMessageId ?? newId(), isWanted: true };
}

/** What is left after `sent` was acknowledged: what the person typed on and attached in the meantime. */
export function afterSent(draft: Draft, sent: Draft): Draft {
  if (draft.clientMessageId === sent.clientMessageId) return emptyDraft;
  const rest = draft.text.startsWith(sent.text) ? draft.text.slice(sent.text.length).trimStart() : draft.text;
  const files = draft.files.filter(({ id }) => !sent.files.some((file) => file.id === id));
  return { ...emptyDraft, text: rest, files };
}
