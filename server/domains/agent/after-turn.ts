import type { UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { CallModel } from '../../providers/types';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import { findName } from './naming';
import type { Run } from './run';
import type { TurnOutcome } from './turns';

/** Milliseconds that naming may take; it is never worth more. */
const NAMING_TIMEOUT_MS = 60_000;

/** What follows a turn and is nobody's wait: naming after the first exchange, archiving of old rows. */
export function createAfterTurn(dependencies: {
  sessions: SessionService;
  messages: MessageService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  callModel: CallModel;
}) {
  const { sessions, messages, unitOfWork, events, callModel } = dependencies;

  async function name(run: Run, closing: AbortSignal): Promise<void> {
    const session = await sessions.findAny(run.sessionId);
    if (session === null || session.name !== null) return;
    const exchange = await messages.readContext(run.sessionId);
    const userText = exchange.find((message) => message.role === 'user')?.content ?? '';
    const answer = exchange.find((message) => message.role === 'assistant' && message.content !== '')?.content;
    if (answer === undefined) return;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(NAMING_TIMEOUT_MS)]);
    const found = await findName(callModel, { run, userText, answer, signal });
    if (found === null || closing.aborted) return;
    await unitOfWork.run(async (tx) => {
      const locked = await sessions.lockAny(tx, run.sessionId);
      if (locked === null || !(await sessions.setNameIfUnnamed(tx, run.sessionId, found))) return;
      await events.append(tx, run.sessionId, [{ kind: 'session-updated', changes: { name: found } }]);
      events.touchUser(tx, locked.userId, run.sessionId, 'updated');
    });
  }

  return async (run: Run, status: TurnOutcome['status'], closing: AbortSignal): Promise<void> => {
    await messages.archiveOld(run.sessionId);
    if (status === 'done') await name(run, closing);
  };
}
