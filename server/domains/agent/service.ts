import type { Person } from '../../lib/person';
import type { ConnectionState } from '../../providers/types';
import type { QueuedMessage, SendInput, SendResult } from '../messages/schema';
import type { RunState } from '../sessions/schema';
import type { ApproveInput } from './schema';

export interface AgentService {
  /** Stores the message and starts a run, or queues it while one is live. The same `clientMessageId` again answers as the first time. */
  send(person: Person, input: SendInput): Promise<SendResult>;
  queue(person: Person, sessionId: string): Promise<{ queue: QueuedMessage[] }>;
  cancelQueued(person: Person, input: { sessionId: string; queuedId: string }): Promise<{ queue: QueuedMessage[] }>;
  editQueued(
    person: Person,
    input: { sessionId: string; queuedId: string; text: string },
  ): Promise<{ queue: QueuedMessage[] }>;
  regenerate(person: Person, input: { sessionId: string; sequenceNumber?: number }): Promise<{ runId: string }>;
  editAndResend(
    person: Person,
    input: { sessionId: string; sequenceNumber: number; clientMessageId: string; text: string },
  ): Promise<SendResult>;
  selectVariant(person: Person, input: { sessionId: string; branchId: number }): Promise<{ lastSequence: number }>;
  /** Answers at once; the run ends within a second. `stopped` is false when nothing was running. */
  stop(person: Person, sessionId: string): Promise<{ stopped: boolean; runState: RunState }>;
  /** Goes on with the last turn after an interruption, a stop or a failure. */
  resume(person: Person, sessionId: string): Promise<{ runId: string }>;
  approve(person: Person, input: ApproveInput): Promise<{ toolCallId: string; decision: 'approved' | 'denied' }>;
  /** Connections with their state and models; `defaultModelId` answers where a session chose none. */
  models(): Promise<{ connections: ConnectionState[]; defaultModelId: string; isDemo: boolean }>;
}
