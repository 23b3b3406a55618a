import type { UnitOfWork } from '../../database/transaction';
import type { EventRow } from '../../events/bus';
import type { EventStore } from '../../events/store';
import type { Snapshot } from '../../events/topics';
import type { CompressionService } from '../compression/service';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import type { AgentStore } from './store';

type LiveRun = NonNullable<Snapshot['run']>;

/** What the current step said and did so far, from its events. Text that became a message is not live any more. */
export function foldStep(rows: readonly EventRow[]): Pick<LiveRun, 'text' | 'thinking' | 'toolCalls' | 'planning'> {
  const text: string[] = [];
  const thinking: string[] = [];
  const calls = new Map<string, LiveRun['toolCalls'][number]>();
  let planning: LiveRun['planning'] = null;
  for (const { event } of rows) {
    if (event.kind === 'planning-status') {
      planning = event.state === 'running' ? { phase: event.phase, text: event.text } : null;
    }
    if (event.kind === 'text-delta') text.push(event.text);
    else if (event.kind === 'thinking-delta') thinking.push(event.text);
    else if (event.kind === 'message-added' && event.message.role === 'assistant') {
      text.length = 0;
      thinking.length = 0;
    } else if (event.kind === 'tool-call') {
      const { toolCallId, toolName, arguments: args, startedAt } = event;
      calls.set(toolCallId, { toolCallId, toolName, arguments: args, startedAt });
    } else if (event.kind === 'tool-progress' && event.childSessionId !== undefined) {
      const call = calls.get(event.toolCallId);
      if (call !== undefined) call.childSessionId = event.childSessionId;
    } else if (event.kind === 'tool-result') calls.delete(event.toolCallId);
  }
  return { text: text.join(''), thinking: thinking.join(''), toolCalls: [...calls.values()], planning };
}

/** Reads the live part of a session from one frozen view, with the id of the newest event in it. */
export function createSnapshotReader(dependencies: {
  store: AgentStore;
  eventStore: Pick<EventStore, 'readRun' | 'readHead'>;
  sessions: Pick<SessionService, 'findAny'>;
  messages: Pick<MessageService, 'lastSequence'>;
  compressions: Pick<CompressionService, 'findLive'>;
  unitOfWork: UnitOfWork;
}) {
  const { store, eventStore, sessions, messages, compressions, unitOfWork } = dependencies;
  return (sessionId: string): Promise<{ lastEventId: number; snapshot: Snapshot }> =>
    unitOfWork.read(async (tx) => {
      const lastEventId = await eventStore.readHead(sessionId, tx.client);
      const session = await sessions.findAny(sessionId, tx);
      const holder = await store.findLive(sessionId, tx.client);
      // A compression between two turns says nothing: it has a card, not an answer.
      const live = holder?.kind === 'compression' ? null : holder;
      const rows = live === null ? [] : await eventStore.readRun(sessionId, live.id, tx.client);
      return {
        lastEventId,
        snapshot: {
          kind: 'snapshot',
          lastSequence: await messages.lastSequence(tx, sessionId),
          runState: session?.runState ?? 'idle',
          run:
            live === null
              ? null
              : {
                  runId: live.id,
                  startedAt: live.startedAt.toISOString(),
                  model: live.model,
                  step: live.step,
                  ...foldStep(rows),
                },
          approvals: await store.readApprovals(sessionId, tx.client),
          queue: await store.readQueue(sessionId, tx.client),
          compression: holder === null ? null : await compressions.findLive(sessionId, tx),
        },
      };
    });
}
