/**
 * What left a context, cut into pieces for the raw index: verbatim, in order, small enough to be an excerpt and large enough
 * to mean something by themselves.
 */
import type { Message } from '../../messages/schema';

/** One message, or a part of a long one. The unit that is ranked and returned. */
export interface Passage {
  sequenceNumber: number;
  /** Who speaks: a name that the text begins with ("Anna: …"), else the tool's name, else the role. */
  speaker: string;
  /** ISO time of the message. */
  createdAt: string;
  /** Exactly as stored. */
  text: string;
}

export interface Chunk {
  firstSequence: number;
  lastSequence: number;
  /** Sequence of the user message that began the first and the last turn in the chunk; 0 before any. */
  firstTurn: number;
  lastTurn: number;
  /** ISO times of the first and the last message. */
  startedAt: string;
  endedAt: string;
  passages: Passage[];
}

/** Characters of a chunk: four to eight ordinary messages, a quarter of the tokens that one search returns. */
export const CHUNK_CHARS = 1200;
/** A longer message is cut into passages of about this length, at ends of lines and sentences where there are any. */
export const PASSAGE_CHARS = 600;
/** A pause of so many milliseconds ends a chunk: what comes after is another conversation. */
const PAUSE_MS = 60 * 60 * 1000;

/** Cuts messages, in order of sequence, into chunks. Nothing is left out: calls are in the text of their message. */
export function chunkMessages(messages: readonly Message[]): Chunk[] {
  const chunks: Chunk[] = [];
  let turn = 0;
  let length = 0;
  for (const message of messages) {
    if (message.role === 'user' && !message.isSummary) turn = message.sequenceNumber;
    for (const passage of toPassages(message)) {
      const current = chunks[chunks.length - 1];
      const isPause = current !== undefined && Date.parse(passage.createdAt) - Date.parse(current.endedAt) > PAUSE_MS;
      if (current === undefined || isPause || (length > 0 && length + passage.text.length > CHUNK_CHARS)) {
        chunks.push(chunkOf(passage, turn));
        length = passage.text.length;
        continue;
      }
      current.passages.push(passage);
      current.lastSequence = passage.sequenceNumber;
      current.lastTurn = turn;
      current.endedAt = passage.createdAt;
      length += passage.text.length;
    }
  }
  return chunks;
}

/** The passages of one message; empty when it says nothing. */
export function toPassages(message: Message): Passage[] {
  const speaker = speakerOf(message);
  return cutText(messageText(message)).map((text) => ({
    sequenceNumber: message.sequenceNumber,
    speaker,
    createdAt: message.createdAt,
    text,
  }));
}

/** A message as text: its content and the calls it asked for, so that a path in an argument is found. */
export function messageText(message: Message): string {
  const calls = (message.toolCalls ?? []).map(
    (call) => `[called ${call.name} ${JSON.stringify(call.arguments ?? {})}]`,
  );
  return [message.content, ...calls].filter((part) => part !== '').join('\n');
}

/** The verbatim text of a chunk, as it is stored and hashed. */
export const chunkText = (chunk: Chunk): string => chunk.passages.map((passage) => passage.text).join('\n');

/**
 * What the content hash of a chunk covers: its sequence range and its text. The same words said twice are two chunks
 * (product §13).
 */
export const chunkHashInput = (chunk: Chunk): string =>
  `${chunk.firstSequence}-${chunk.lastSequence}\n${chunkText(chunk)}`;

const spokenName = /^(\p{Lu}[\p{L}\p{M}'’.-]{1,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,2}):\s/u;

function speakerOf(message: Message): string {
  const name = spokenName.exec(message.content)?.[1];
  return name ?? (message.role === 'tool' ? (message.name ?? 'tool') : message.role);
}

function chunkOf(passage: Passage, turn: number): Chunk {
  return {
    firstSequence: passage.sequenceNumber,
    lastSequence: passage.sequenceNumber,
    firstTurn: turn,
    lastTurn: turn,
    startedAt: passage.createdAt,
    endedAt: passage.createdAt,
    passages: [passage],
  };
}

/** Cuts a long text so that the pieces, put together, are the text again. */
export function cutText(text: string): string[] {
  if (text === '') return [];
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > CHUNK_CHARS) {
    const end = cutPoint(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The end of a piece of about `PASSAGE_CHARS`: after a line, else a sentence, else a word, else anywhere but inside a pair. */
function cutPoint(text: string, start: number): number {
  const from = start + PASSAGE_CHARS / 2;
  const to = start + PASSAGE_CHARS;
  for (const ends of ['\n', '.!?。！？', ' \t']) {
    for (let at = to; at > from; at--) {
      if (ends.includes(text.charAt(at - 1))) return at;
    }
  }
  const code = text.charCodeAt(to);
  return code >= 0xdc00 && code <= 0xdfff ? to - 1 : to;
}
