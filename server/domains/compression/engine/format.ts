/**
 * The history as plain text for the summariser (seed 004, step 3): compact calls, short previews of results, what matters
 * verbatim, and a note for every image whether or not it is sent along.
 */
import type { Attachment, Message } from '../../messages/schema';
import { cutMiddle, headOf } from './cut-text';
import { sentImages } from './message-price';

/** Characters of a call's arguments. */
const ARGUMENT_PREVIEW_CHARS = 120;
/** Characters of an ordinary tool result. */
export const RESULT_PREVIEW_CHARS = 800;
/** A critical result up to this length stays verbatim; a longer one keeps a half of it from each end. */
const CRITICAL_RESULT_CHARS = 4000;
/** A preview of an ordinary result when the input would be too long: the oldest ones shrink first. */
export const SHRUNK_PREVIEW_CHARS = 160;
/** Share of the window that images of the summarised messages may take. */
const IMAGE_BUDGET_SHARE = 0.25;

/** Tools that read or change files, run commands or fetch (product §5), by the names Navi ever had for them. */
const criticalToolNames: ReadonlySet<string> = new Set([
  'read_file',
  'write_file',
  'edit_file',
  'append_file',
  'delete_file',
  'move_file',
  'search_files',
  'run_command',
  'code_exec',
  'web_fetch',
  'filesystem',
  'terminal',
]);

/** Whether the summary must keep what this message says word for word. */
export function isCriticalResult(message: Message): boolean {
  return message.role === 'tool' && (message.isCompressionCritical || criticalToolNames.has(message.name ?? ''));
}

/** One message as the summariser reads it. */
export interface FormattedEntry {
  sequenceNumber: number;
  text: string;
  /** The same with a shorter preview, for ordinary tool results that have one. */
  shortText: string | null;
}

export interface FormattedHistory {
  entries: FormattedEntry[];
  /** Images to send along, newest first chosen, in order of the history. */
  images: Attachment[];
  /** What they cost. */
  imageTokens: number;
  /** Images that were left out; their notes still stand in the text. */
  imagesLeftOut: number;
}

export interface FormatOptions {
  windowTokens: number;
  /** Price of an image; `canSeeImages` false sends none. */
  imageTokens(image: Attachment): number;
  canSeeImages: boolean;
}

/**
 * Formats what is to be summarised. Images are chosen newest first within a quarter of the window: without that limit a
 * dozen screenshots made a prompt that was silently cut, and a summary written as if everything had been read.
 */
export function formatHistory(messages: readonly Message[], options: FormatOptions): FormattedHistory {
  const entries = messages.map(formatMessage).filter((entry) => entry.text !== '');
  // What was never shown in the conversation was never spoken of either.
  const all = messages.flatMap(sentImages);
  const images: Attachment[] = [];
  const budget = options.canSeeImages ? Math.floor(options.windowTokens * IMAGE_BUDGET_SHARE) : 0;
  let left = budget;
  for (const image of [...all].reverse()) {
    const price = options.imageTokens(image);
    if (price > left) continue;
    left -= price;
    images.unshift(image);
  }
  return { entries, images, imageTokens: budget - left, imagesLeftOut: all.length - images.length };
}

function formatMessage(message: Message): FormattedEntry {
  const { sequenceNumber } = message;
  const notes = [imageNote(message), fileNote(message)].filter((note) => note !== '');
  const wrap = (label: string, body: string) => {
    const lines = [body, ...notes].filter((line) => line !== '').join('\n');
    return lines === '' ? '' : `${label}: ${lines}`;
  };
  if (message.role === 'tool') {
    const label = `Result of ${message.name ?? 'a tool'}${statusNote(message)}`;
    if (isCriticalResult(message)) {
      return { sequenceNumber, text: wrap(label, cutMiddle(message.content, CRITICAL_RESULT_CHARS)), shortText: null };
    }
    const text = wrap(label, headOf(message.content, RESULT_PREVIEW_CHARS));
    const isShort = message.content.length <= SHRUNK_PREVIEW_CHARS;
    return {
      sequenceNumber,
      text,
      shortText: isShort ? null : wrap(label, headOf(message.content, SHRUNK_PREVIEW_CHARS)),
    };
  }
  if (message.role === 'assistant') {
    const calls = (message.toolCalls ?? []).map(
      (call) => `[called ${call.name} ${headOf(JSON.stringify(call.arguments ?? {}), ARGUMENT_PREVIEW_CHARS)}]`,
    );
    const body = [message.content, ...calls].filter((line) => line !== '').join('\n');
    return { sequenceNumber, text: wrap('Assistant', body), shortText: null };
  }
  if (message.isSummary) return { sequenceNumber, text: wrap('Earlier summary', message.content), shortText: null };
  if (message.role === 'system') return { sequenceNumber, text: wrap('Note', message.content), shortText: null };
  return { sequenceNumber, text: wrap('User', message.content), shortText: null };
}

function imageNote(message: Message): string {
  const count = message.images?.length ?? 0;
  return count === 0 ? '' : `[+ ${count} image(s)]`;
}

function fileNote(message: Message): string {
  const names = (message.files ?? []).map((file) => file.name);
  return names.length === 0 ? '' : `[+ file(s): ${names.join(', ')}]`;
}

function statusNote(message: Message): string {
  const status = message.metadata.toolStatus;
  return status === undefined || status === 'done' ? '' : ` (${status})`;
}
