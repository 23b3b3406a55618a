/**
 * Subagents: a session below another one, in which an agent works on one task with its own context, plan and notes. Its run
 * is a run like any other, with its own lease; whoever waits for it holds no lock and no transaction.
 */
import type { UnitOfWork } from '../../../database/transaction';
import type { EventFeed } from '../../../events/feed';
import type { EventLog } from '../../../events/log';
import type { SessionEvent } from '../../../events/topics';
import type { Clock } from '../../../lib/clock';
import { AppError } from '../../../lib/errors';
import type { Person } from '../../../lib/person';
import { previewOf } from '../../../lib/text';
import type { MessageService } from '../../messages/service';
import type { ProfileService } from '../../profiles/service';
import type { SessionService } from '../../sessions/service';
import type { AgentService } from '../service';
import { SUBAGENT_LIMITS } from './as-subagent';

export interface SubagentsDependencies {
  sessions: SessionService;
  messages: MessageService;
  profiles: ProfileService;
  feed: Pick<EventFeed, 'session'>;
  agent: Pick<AgentService, 'send' | 'stopRuns'>;
  unitOfWork: UnitOfWork;
  events: Pick<EventLog, 'checkEpoch'>;
  clock: Clock;
  newId(): string;
  /** Milliseconds after which a subagent is stopped; the product's ten minutes by default. */
  limitMs?: number;
}

export interface SubagentTask {
  parentSessionId: string;
  /** The fence of the parent's run: once that is over, it starts nobody. */
  parentEpoch: number | null;
  /** Owner of the parent; '' for none. */
  userId: string;
  toolCallId: string;
  task: string;
  briefing: string;
  /** The parent's by default. */
  profileId?: string | undefined;
  signal: AbortSignal;
  onProgress(text: string, childSessionId: string): void;
}

export interface SubagentResult {
  childSessionId: string;
  profileId: string;
  status: 'done' | 'stopped' | 'interrupted' | 'failed';
  /** It was stopped because its time was up. */
  isTimedOut: boolean;
  steps: number;
  toolCalls: number;
  /** Its last words; '' when it said nothing. */
  text: string;
  /** Why it failed. */
  error: string | null;
}

/** Milliseconds for a run that was asked to stop; it ends within one second (product §3). */
const STOP_WAIT_MS = 5_000;

export function createSubagents(dependencies: SubagentsDependencies) {
  const { sessions, messages, profiles, feed, agent, unitOfWork, events, clock, newId } = dependencies;
  const limitMs = dependencies.limitMs ?? SUBAGENT_LIMITS.minutes * 60_000;

  /** Throws not-found for a parent that is gone or an unknown profile, invalid-input below the greatest depth. */
  async function openChild(task: SubagentTask): Promise<{ id: string; profileId: string }> {
    const id = newId();
    return unitOfWork.run(async (tx) => {
      const parent = await sessions.lockAny(tx, task.parentSessionId);
      if (parent === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
      await events.checkEpoch(tx, parent.id, task.parentEpoch);
      if ((await sessions.depthOf(parent, tx)) >= SUBAGENT_LIMITS.maxDepth) {
        throw new AppError(
          'invalid-input',
          'A subagent at this depth cannot start further ones: do the task yourself.',
        );
      }
      const profileId = profiles.get(task.profileId ?? parent.profileId).id;
      await sessions.insert(tx, {
        id,
        userId: parent.userId,
        profileId,
        name: previewOf(task.task, 80),
        parentId: parent.id,
        parentToolCallId: task.toolCallId,
        model: parent.model,
      });
      return { id, profileId };
    });
  }

  /** Follows the child until its run ends. `until` ends the waiting without an end. */
  async function follow(
    person: Person,
    child: string,
    seen: { steps: number; toolCalls: number },
    onProgress: (text: string) => void,
    until: AbortSignal,
  ): Promise<Extract<SessionEvent, { kind: 'run-end' }> | null> {
    // From the first event on: the session is new.
    for await (const { event } of feed.session(person, { sessionId: child, lastEventId: '0', signal: until })) {
      switch (event.kind) {
        case 'step-start':
          seen.steps = event.step;
          onProgress(`Step ${event.step}`);
          break;
        case 'tool-call':
          seen.toolCalls += 1;
          onProgress(`Step ${event.step}: ${event.toolName}`);
          break;
        case 'approval-asked':
          onProgress(`Waits for your answer: ${event.approval.toolName}`);
          break;
        case 'run-end':
          return event;
        case 'session-removed':
          return null;
        default:
          break;
      }
    }
    return null;
  }

  /** The card that ended it, in words. */
  async function findFailure(person: Person, child: string): Promise<string | null> {
    const { messages: newest } = await messages.page(person, { sessionId: child, limit: 5 });
    return newest.findLast((message) => message.metadata.error !== undefined)?.metadata.error?.message ?? null;
  }

  return {
    /** Runs a task to its end, to a limit or to the abort of the signal, and answers what came of it. Leaves nothing running. */
    async run(task: SubagentTask): Promise<SubagentResult> {
      const { id: child, profileId } = await openChild(task);
      // The owner's own authority, and no more; sessions without an owner are for admins.
      const person: Person = { userId: task.userId, isAdmin: task.userId === '' };
      const report = (text: string) => task.onProgress(text, child);
      const seen = { steps: 0, toolCalls: 0 };
      const ended = new AbortController();
      const given = new AbortController();
      let isTimedOut = false;
      const stopChild = async () => {
        await agent.stopRuns(child);
        await clock.sleep(STOP_WAIT_MS, ended.signal);
        given.abort();
      };
      const limit = clock.sleep(limitMs, AbortSignal.any([ended.signal, task.signal])).then(
        () => {
          isTimedOut = true;
          return stopChild();
        },
        () => (task.signal.aborted && !ended.signal.aborted ? stopChild() : undefined),
      );
      limit.catch(() => undefined);
      try {
        report('Started');
        const text = task.briefing.trim() === '' ? task.task : `${task.task}\n\nBriefing:\n${task.briefing}`;
        task.signal.throwIfAborted();
        await agent.send(person, { sessionId: child, clientMessageId: newId(), text });
        // Aborted while the run was being claimed: the look for live runs came too early.
        if (task.signal.aborted) await agent.stopRuns(child);
        const end = await follow(person, child, seen, report, given.signal);
        const history = await messages.readContext(child);
        const last = history.findLast((message) => message.role === 'assistant' && message.content !== '');
        const failure = end?.status === 'failed' ? await findFailure(person, child) : null;
        return {
          childSessionId: child,
          profileId,
          status: end?.status ?? 'stopped',
          isTimedOut,
          ...seen,
          text: last?.content ?? '',
          error: failure,
        };
      } finally {
        ended.abort();
      }
    },
  };
}

export type Subagents = ReturnType<typeof createSubagents>;
