/**
 * Runs of protocols. Starting one splices its steps into the session's plan; it ends as finished once they are closed, or
 * as cancelled or failed, which skips the open ones. A run is a row: it is there again after a restart.
 */
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { SessionService } from '../sessions/service';
import { closeProtocolSteps, insertSteps, isOpen, type ProtocolStepState, protocolStepStates } from './engine/plan';
import type { ProtocolFile } from './engine/protocol-file';
import type { ProtocolLibrary } from './protocol-library';
import type { ProtocolStore } from './protocol-store';
import type { ProtocolRun, ProtocolSummary, TodoSnapshot } from './schema';
import type { TodoService } from './service';

export interface ProtocolServiceDependencies {
  store: ProtocolStore;
  library: ProtocolLibrary;
  todos: TodoService;
  sessions: SessionService;
  unitOfWork: UnitOfWork;
  events: Pick<EventLog, 'checkEpoch'>;
  newId(): string;
}

/** Where, and by whom: `epoch` is the fence of the agent's run, null for a person. */
interface Place {
  sessionId: string;
  epoch: number | null;
}

/** How a run is named: by its id, or not at all while only one is active. */
export interface RunReference extends Place {
  runId?: string | undefined;
}

export interface StartedProtocol {
  run: ProtocolRun;
  protocol: ProtocolFile;
  /** 1-based positions of its steps in the plan. */
  positions: number[];
  snapshot: TodoSnapshot;
}

export interface EndedProtocol {
  run: ProtocolRun;
  /** Steps that were skipped by the end, 1-based. */
  skipped: number[];
  snapshot: TodoSnapshot;
}

const LISTED_RUNS = 50;

export function createProtocolService(dependencies: ProtocolServiceDependencies) {
  const { store, library, todos, sessions, unitOfWork, events, newId } = dependencies;

  /** One transaction under the session's row; refused for a session that is gone, and for an agent's run that is over. */
  async function run<T>(
    { sessionId, epoch }: Place,
    work: (tx: Transaction, session: { id: string; userId: string | null }) => Promise<T>,
  ): Promise<T> {
    await todos.ready();
    return unitOfWork.run(async (tx) => {
      const session = await sessions.lockAny(tx, sessionId);
      if (session === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
      await events.checkEpoch(tx, sessionId, epoch);
      return work(tx, session);
    });
  }

  async function findActive(tx: Transaction, { sessionId, runId }: RunReference): Promise<ProtocolRun> {
    const active = await store.listActive(tx, sessionId);
    const names = active.map((one) => `${one.id} (${one.protocolId})`).join(', ');
    if (active.length === 0) throw new AppError('not-found', 'No protocol is in progress in this chat.');
    if (runId === undefined && active.length > 1) {
      throw new AppError('invalid-input', `Several protocols are in progress; say which run: ${names}.`);
    }
    const found = runId === undefined ? active[0] : active.find((one) => one.id === runId);
    if (found === undefined)
      throw new AppError('not-found', `There is no run ${runId} in progress. In progress: ${names}.`);
    return found;
  }

  /** Cancel and fail: the open steps are skipped, with the reason. */
  function giveUp(
    reference: RunReference,
    status: 'cancelled' | 'failed',
    note: string | null,
  ): Promise<EndedProtocol> {
    return run(reference, async (tx, session) => {
      const active = await findActive(tx, reference);
      await store.end(tx, active.id, status, note);
      let skipped: number[] = [];
      const snapshot = await todos.changeLocked(tx, session, 'protocol', (plan, { at }) => {
        const closed = closeProtocolSteps(plan, active.id, note, at);
        skipped = closed.positions;
        return closed.plan;
      });
      return { run: { ...active, status, note }, skipped, snapshot };
    });
  }

  async function summaries(userId: string): Promise<{
    protocols: ProtocolSummary[];
    problems: { file: string; problem: string }[];
  }> {
    const { entries, problems } = await library.list(userId);
    return {
      protocols: entries.map(({ protocol: { id, name, description, steps }, origin }) => ({
        id,
        name,
        description,
        origin,
        stepCount: steps.length,
      })),
      problems,
    };
  }

  return {
    /** What can be started, and what is or was in this session. */
    async list(
      sessionId: string,
      userId: string,
    ): Promise<{ protocols: ProtocolSummary[]; problems: { file: string; problem: string }[]; runs: ProtocolRun[] }> {
      return { ...(await summaries(userId)), runs: await store.list(sessionId, LISTED_RUNS) };
    },

    /** For people: the same, of a session that is theirs; without one, what a new session could start. */
    async listFor(person: Person, sessionId: string | undefined) {
      if (sessionId === undefined) return { ...(await summaries(person.userId)), runs: [] };
      const session = await sessions.authorise(person, sessionId);
      return this.list(sessionId, session.userId ?? '');
    },

    /** For people: a start in a session that is theirs. The agent finds the steps in its plan. */
    async startFor(person: Person, input: { sessionId: string; protocolId: string; after?: number | undefined }) {
      const session = await sessions.authorise(person, input.sessionId);
      const userId = session.userId ?? '';
      const {
        run: started,
        positions,
        snapshot,
      } = await this.start({ ...input, userId, epoch: null, isByPerson: true });
      return { run: started, positions, snapshot };
    },

    /** The file of a protocol, to look up how its steps are meant; null when it is gone. */
    async read(userId: string, protocolId: string): Promise<ProtocolFile | null> {
      return (await library.find(userId, protocolId))?.protocol ?? null;
    },

    /** Throws not-found for an unknown protocol, conflict while the same one is in progress. */
    async start(
      input: Place & {
        userId: string;
        protocolId: string;
        after?: number | undefined;
        /** The plan's history names the person, and a running agent is told that its plan was changed. */
        isByPerson?: boolean;
      },
    ): Promise<StartedProtocol> {
      const { sessionId, userId, protocolId, isByPerson = false } = input;
      const entry = await library.find(userId, protocolId);
      if (entry === null) {
        const known = (await library.list(userId)).entries.map(({ protocol }) => protocol.id).join(', ');
        throw new AppError('not-found', `There is no protocol ${JSON.stringify(protocolId)}. There are: ${known}.`);
      }
      const { protocol } = entry;
      return run(input, async (tx, session) => {
        const same = (await store.listActive(tx, sessionId)).find((one) => one.protocolId === protocol.id);
        if (same !== undefined) {
          throw new AppError(
            'conflict',
            `${protocol.id} is in progress already (run ${same.id}). Finish, cancel or fail it first.`,
          );
        }
        const started = await store.insert(tx, {
          id: newId(),
          sessionId,
          protocolId: protocol.id,
          name: protocol.name,
        });
        let positions: number[] = [];
        const author = isByPerson ? 'user' : 'protocol';
        const snapshot = await todos.changeLocked(tx, session, author, (plan, context) => {
          const inserted = insertSteps(
            plan,
            {
              texts: protocol.steps.map((step) => step.text),
              after: input.after ?? null,
              protocolRunId: started.id,
              stepIds: protocol.steps.map((step) => step.id),
            },
            { ...context, source: 'protocol' },
          );
          positions = inserted.positions;
          return inserted.plan;
        });
        return { run: started, protocol, positions, snapshot };
      });
    },

    /** Refused while steps of the run are open; `open` then says which. */
    finish(
      reference: RunReference,
      note: string | null,
    ): Promise<({ ok: true } & EndedProtocol) | { ok: false; run: ProtocolRun; open: ProtocolStepState[] }> {
      return run(reference, async (tx, session) => {
        const active = await findActive(tx, reference);
        const snapshot = await todos.peekLocked(tx, session);
        const open = protocolStepStates(snapshot.tasks, active.id).filter(isOpen);
        if (open.length > 0) return { ok: false as const, run: active, open };
        await store.end(tx, active.id, 'finished', note);
        return { ok: true as const, run: { ...active, status: 'finished' as const, note }, skipped: [], snapshot };
      });
    },

    cancel: (reference: RunReference, note: string | null) => giveUp(reference, 'cancelled', note),
    fail: (reference: RunReference, note: string | null) => giveUp(reference, 'failed', note),
  };
}

export type ProtocolService = ReturnType<typeof createProtocolService>;
