import type { Person } from '../../lib/person';
import type { Session } from '../sessions/schema';
import type { Message, MessagesPage, MessagesPageInput } from './schema';

export interface MessageService {
  page(person: Person, input: MessagesPageInput): Promise<MessagesPage>;
  forkSession(person: Person, input: { sessionId: string; sequenceNumber?: number }): Promise<Session>;
  exportSession(
    person: Person,
    input: { sessionId: string; format: 'markdown' | 'json' },
  ): Promise<{ fileName: string; mimeType: string; content: string }>;
  rate(
    person: Person,
    input: { sessionId: string; sequenceNumber: number; rating: 'up' | 'down' | null },
  ): Promise<Message>;
}
