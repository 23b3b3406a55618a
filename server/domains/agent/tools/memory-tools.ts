/** How the agent reaches what left its context, its notes, and the person's other chats. */
import * as z from 'zod';
import type { MemoryHit } from '../../memory/schema';
import { defineTool, type Tool, ToolError } from './types';

export interface MemoryToolsDependencies {
  /** Searches by authority of the session the tool runs in. */
  search(
    sessionId: string,
    input: { scope: 'raw' | 'sketches' | 'sessions'; query: string; after?: string; before?: string; limit: number },
  ): Promise<MemoryHit[]>;
  /** Messages of the session that the tool runs in, or of another one of the same owner; null when it is not theirs. */
  read(
    at: { sessionId: string; userId: string },
    input: { sessionId: string; fromSeq: number; toSeq: number; limit: number },
  ): Promise<{ sequenceNumber: number; role: string; name: string | null; createdAt: string; text: string }[] | null>;
}

const RESULT_LIMIT_CHARS = 24_000;
const MAX_READ_MESSAGES = 100;

export function createMemoryTools({ search, read }: MemoryToolsDependencies): Tool[] {
  const memorySearch = defineTool({
    name: 'memory_search',
    description:
      'Search what is no longer in your context. Scope raw (default): the exact earlier messages of this chat that were summarised away. ' +
      'sketches: notes in scratchpads. sessions: other chats of this person. Give words to look for (any of them; better matches first), ' +
      'or none for the latest. Results name message numbers: read more around them with memory_read.',
    class: 'read',
    input: z.object({
      query: z.string().max(2000).default('').describe('Words to look for.'),
      scope: z.enum(['raw', 'sketches', 'sessions']).default('raw'),
      after: z.iso.datetime({ offset: true }).optional().describe('Only what was said after this time, ISO 8601.'),
      before: z.iso.datetime({ offset: true }).optional().describe('Only what was said before this time, ISO 8601.'),
      limit: z.int().min(1).max(20).default(6),
    }),
    timeoutMs: 20_000,
    resultLimitChars: RESULT_LIMIT_CHARS,
    isCompressionCritical: false,
    async run({ query, scope, after, before, limit }, { sessionId }) {
      const range = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
      const hits = await search(sessionId, { scope, query, limit, ...range });
      if (hits.length === 0) return { text: nothing(scope, query), metadata: { hits: 0 } };
      return {
        text: hits.map(describe).join('\n\n'),
        metadata: {
          hits: hits.length,
          ranges: hits.map((hit) => ({ sessionId: hit.sessionId, first: hit.firstSequence, last: hit.lastSequence })),
        },
      };
    },
  });

  const memoryRead = defineTool({
    name: 'memory_read',
    description:
      'Read earlier messages of this chat word for word, by their numbers, whether or not they are in your context. ' +
      'Numbers come from memory_search and from summaries. With `session`, reads another chat of this person.',
    class: 'read',
    input: z
      .object({
        from: z.int().min(0).describe('Number of the first message.'),
        to: z.int().min(0).describe('Number of the last message.'),
        session: z.string().max(100).optional().describe('Id of another chat, as memory_search told it.'),
      })
      .refine(({ from, to }) => from <= to, { message: '`from` must not be after `to`' }),
    timeoutMs: 20_000,
    resultLimitChars: RESULT_LIMIT_CHARS,
    isCompressionCritical: false,
    async run({ from, to, session }, { sessionId, userId }) {
      const messages = await read(
        { sessionId, userId },
        { sessionId: session ?? sessionId, fromSeq: from, toSeq: to, limit: MAX_READ_MESSAGES },
      );
      if (messages === null) throw new ToolError('There is no such chat.');
      if (messages.length === 0) throw new ToolError(`There are no messages from ${from} to ${to}.`);
      const text = messages
        .map(
          (message) =>
            `[${message.sequenceNumber}] ${message.name ?? message.role}, ${time(message.createdAt)}:\n${message.text}`,
        )
        .join('\n\n');
      const last = messages[messages.length - 1]?.sequenceNumber ?? to;
      const rest = messages.length === MAX_READ_MESSAGES && last < to ? `\n\n(Go on from ${last + 1}.)` : '';
      return { text: text + rest, metadata: { from, to: last } };
    },
  });
  return [memorySearch, memoryRead];
}

const time = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function describe(hit: MemoryHit): string {
  const place =
    hit.scope === 'sketches'
      ? `Note "${hit.section ?? ''}"${hit.sessionName === null ? '' : ` in "${hit.sessionName}"`}`
      : hit.firstSequence === hit.lastSequence
        ? `Message ${hit.firstSequence}`
        : `Messages ${hit.firstSequence} to ${hit.lastSequence}`;
  const chat =
    hit.scope === 'sessions'
      ? ` of chat ${hit.sessionId}${hit.sessionName === null ? '' : ` "${hit.sessionName}"`}`
      : '';
  return `${place}${chat}, ${time(hit.startedAt)}:\n${hit.text}`;
}

function nothing(scope: string, query: string): string {
  const what = query.trim() === '' ? 'Nothing is there yet' : `Nothing was found for "${query}"`;
  if (scope === 'raw')
    return `${what} among the earlier messages of this chat. What is still in your context is not searched.`;
  return scope === 'sketches' ? `${what} in the scratchpads.` : `${what} in other chats.`;
}
