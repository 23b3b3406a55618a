import type { Message } from '../../../server/domains/messages/schema';

export interface RecalledPassage {
  firstSequence: number | null;
  startedAt: string | null;
  text: string;
}

/** The passages of a `memory_recall` record; its whole text as one where they cannot be told apart. Pure. */
export function readRecall({ metadata, content }: Pick<Message, 'metadata' | 'content'>): RecalledPassage[] {
  const { excerpts } = metadata;
  const passages = (Array.isArray(excerpts) ? excerpts : []).flatMap((excerpt: unknown) => {
    const { firstSequence, startedAt, text } = (excerpt ?? {}) as Record<string, unknown>;
    if (typeof text !== 'string') return [];
    return [
      {
        firstSequence: typeof firstSequence === 'number' ? firstSequence : null,
        startedAt: typeof startedAt === 'string' ? startedAt : null,
        text,
      },
    ];
  });
  return passages.length > 0 ? passages : [{ firstSequence: null, startedAt: null, text: content }];
}
