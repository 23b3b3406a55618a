/**
 * LoCoMo (snap-research/locomo, CC BY-NC 4.0): ten long conversations, and questions with the turns that answer them. The file
 * is not part of the project: it is looked for beside the repository, or where NAVI_LOCOMO_FILE says.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { makeMessage } from '../server/domains/compression/engine/testing/histories';
import type { Message } from '../server/domains/messages/schema';

export interface Question {
  text: string;
  /** Sequence numbers of the messages that answer it. */
  evidence: number[];
}

export interface Conversation {
  messages: Message[];
  questions: Question[];
}

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const fileSchema = z.array(
  z.object({
    conversation: z.looseObject({ speaker_a: z.string() }),
    qa: z.array(z.object({ question: z.string(), category: z.number(), evidence: z.array(z.string()).optional() })),
  }),
);

export function findLocomoFile(): string | null {
  const given = process.env.NAVI_LOCOMO_FILE;
  const path = given ?? fileURLToPath(new URL('../../shared/data/locomo10.json', import.meta.url));
  return existsSync(path) ? path : null;
}

/** Each conversation as the messages of one session, with its questions of categories 1 to 4 that have evidence. */
export function readLocomo(path: string): Conversation[] {
  return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).map(({ conversation, qa }) => {
    const messages: Message[] = [];
    const sequenceOf = new Map<string, number>();
    const sessions = Object.keys(conversation)
      .map((key) => Number(/^session_(\d+)$/.exec(key)?.[1] ?? 0))
      .filter((number) => number > 0)
      .sort((a, b) => a - b);
    for (const number of sessions) {
      const createdAt = parseDate(String(conversation[`session_${number}_date_time`]));
      for (const turn of turnSchema.array().parse(conversation[`session_${number}`])) {
        const sequenceNumber = messages.length + 1;
        const picture = turn.blip_caption === undefined ? '' : ` [shares ${turn.blip_caption}]`;
        sequenceOf.set(turn.dia_id, sequenceNumber);
        messages.push(
          makeMessage({
            sequenceNumber,
            role: turn.speaker === conversation.speaker_a ? 'user' : 'assistant',
            content: `${turn.speaker}: ${turn.text}${picture}`,
            createdAt,
          }),
        );
      }
    }
    const questions = qa
      .filter((question) => question.category >= 1 && question.category <= 4)
      .map((question) => {
        const named = new Set((question.evidence ?? []).flatMap((text) => text.match(/D\d+:\d+/g) ?? []));
        return { text: question.question, evidence: [...named].flatMap((id) => sequenceOf.get(id) ?? []) };
      })
      .filter((question) => question.evidence.length > 0);
    return { messages, questions };
  });
}

/** "1:56 pm on 8 May, 2023" as ISO. */
function parseDate(text: string): string {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return new Date(`${day} ${month} ${year} ${hours}:${minute}:00 UTC`).toISOString();
}
