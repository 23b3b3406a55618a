/** What a person is writing, kept per chat in this browser until the server has it. */
import { newId } from '../../../lib/ids';
import { readStoredJson, writeStored } from '../../../lib/storage';

export interface Draft {
  text: string;
  /** Fixed with the first attempt to send this text, and sent again with every further one: the server stores it once. */
  clientMessageId: string | null;
  /** The chat that was created for this text, when creating worked and sending did not. */
  sessionId: string | null;
  /** The person pressed send; it goes out as soon as the server can be reached. */
  isWanted: boolean;
}

export const emptyDraft: Draft = { text: '', clientMessageId: null, sessionId: null, isWanted: false };

const keyOf = (sessionId: string | null): string => `draft.${sessionId ?? 'new'}`;

export function loadDraft(sessionId: string | null): Draft {
  const stored = readStoredJson(keyOf(sessionId));
  if (typeof stored !== 'object' || stored === null) return emptyDraft;
  const { text, clientMessageId, sessionId: created, isWanted } = stored as Record<string, unknown>;
  if (typeof text !== 'string') return emptyDraft;
  return {
    text,
    clientMessageId: typeof clientMessageId === 'string' ? clientMessageId : null,
    sessionId: typeof created === 'string' ? created : null,
    isWanted: isWanted === true,
  };
}

export function saveDraft(sessionId: string | null, draft: Draft): void {
  writeStored(keyOf(sessionId), draft.text === '' ? null : JSON.stringify(draft));
}

/** Another text is another message: it gets its own id when it is sent. */
export function withText(draft: Draft, text: string): Draft {
  if (text === draft.text) return draft;
  return { ...draft, text, clientMessageId: null, isWanted: false };
}

/** Ready to be sent: has an id, which stays until the text changes. */
export function wanted(draft: Draft): Draft & { clientMessageId: string } {
  return { ...draft, clientMessageId: draft.clientMessageId ?? newId(), isWanted: true };
}

/** What is left after `sent` was acknowledged: what the person typed on in the meantime. */
export function afterSent(draft: Draft, sent: Draft): Draft {
  if (draft.clientMessageId === sent.clientMessageId) return emptyDraft;
  const rest = draft.text.startsWith(sent.text) ? draft.text.slice(sent.text.length).trimStart() : draft.text;
  return { ...emptyDraft, text: rest };
}
