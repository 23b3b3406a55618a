import type { UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { CallModel } from '../../providers/types';
import type { CompressionService } from '../compression/service';
import type { MessageService } from '../messages/service';
import type { SessionService } from '../sessions/service';
import type { Compactor } from './compactor';
import { findName } from './naming';
import type { Run } from './run';
import type { TurnOutcome } from './turns';

/** Milliseconds that naming may take; it is never worth more. */
const NAMING_TIMEOUT_MS = 60_000;

/** What follows a run and is nobody's wait: the compression that is due, a name after the first exchange, archiving. */
export function createAfterTurn(dependencies: {
  sessions: SessionService;
  messages: MessageService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  callModel: CallModel;
  compactor: Pick<Compactor, 'claimPostturn'>;
  compressions: Pick<CompressionService, 'undoableSequences'>;
}) {
  const { sessions, messages, unitOfWork, events, callModel, compactor, compressions } = dependencies;

  async function name(run: Run, closing: AbortSignal): Promise<void> {
    const session = await sessions.findAny(run.sessionId);
    if (session === null || session.name !== null) return;
    const exchange = await messages.readContext(run.sessionId);
    const userText = exchange.find((message) => message.role === 'user' && !message.isSummary)?.content ?? '';
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

  return async (
    run: Run,
    status: TurnOutcome['status'],
    { begin, closing }: { begin: (run: Run) => void; closing: AbortSignal },
  ): Promise<void> => {
    if (run.kind !== 'compression') {
      const compression = closing.aborted ? null : await compactor.claimPostturn(run.sessionId);
      if (compression !== null) begin(compression);
      if (status === 'done') await name(run, closing);
    }
    await messages.archiveOld(run.sessionId, () => compressions.undoableSequences(run.sessionId));
  };
}
