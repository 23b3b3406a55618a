/**
 * The runs of this process: starts them, keeps their leases, stops them, turns their outcome into an end; and looks for
 * runs that nobody keeps any more, to settle them. Liveness is judged by leases alone.
 */
import type { UnitOfWork } from '../../database/transaction';
import type { Bus } from '../../events/bus';
import type { DeltaWriter } from '../../events/delta-writer';
import { LeaseLostError } from '../../events/log';
import type { EventStore } from '../../events/store';
import type { Clock } from '../../lib/clock';
import { isAppError } from '../../lib/errors';
import { ModelCallError, type ResolvedModel } from '../../providers/types';
import type { Compactor } from './compactor';
import type { Loop, LoopOutcome } from './loop';
import { type AbortReason, createProgress, type Run, RunAborted, type RunProgress, toTurnEnd } from './run';
import { foldStep } from './snapshot';
import type { AgentStore, StoredRun } from './store';
import type { TurnOutcome, Turns } from './turns';

export interface RunnerDependencies {
  store: AgentStore;
  turns: Turns;
  loop: Loop;
  compactor: Pick<Compactor, 'execute'>;
  unitOfWork: UnitOfWork;
  eventStore: Pick<EventStore, 'readRun'>;
  deltas: DeltaWriter;
  bus: Bus;
  clock: Clock;
  workerId: string;
  leaseMs: number;
  /** The model that answers in a session now. */
  modelOf(sessionId: string): Promise<ResolvedModel>;
  /**
   * After a run ended: compression, naming, archiving. Its failures are its own. `begin` executes a run that it claimed;
   * `closing` aborts when the server closes.
   */
  afterTurn(
    run: Run,
    status: TurnOutcome['status'],
    context: { begin: (run: Run) => void; closing: AbortSignal },
  ): Promise<void>;
  reportUnexpected(error: unknown): string;
}

interface Active {
  run: Run;
  abort(reason: AbortReason): void;
  finished: Promise<void>;
}

/** Part of the lease after which it is renewed: two renewals may fail before anybody thinks the worker dead. */
const HEARTBEAT_SHARE = 1 / 3;
/** Runs settled in one pass. */
const SETTLE_LIMIT = 50;

export function createRunner(dependencies: RunnerDependencies) {
  const { store, turns, loop, compactor, unitOfWork, eventStore, deltas, bus, clock, workerId, leaseMs } = dependencies;
  const { modelOf, afterTurn, reportUnexpected } = dependencies;
  const active = new Map<string, Active>();
  const background = new Set<Promise<unknown>>();
  const closing = new AbortController();

  function inBackground(work: Promise<unknown>): void {
    const settled = work.catch(reportUnexpected).finally(() => background.delete(settled));
    background.add(settled);
  }

  /** Begins to execute a claimed run. Returns at once. */
  function start(run: Run): void {
    const controller = new AbortController();
    const abort = (reason: AbortReason) => controller.abort(new RunAborted(reason));
    const stopWatching = [
      deltas.onLost(run, () => abort('lease-lost')),
      bus.on(`run:${run.id}`, () => inBackground(checkStop(run, abort))),
    ];
    const finished = execute(run, controller.signal).finally(() => {
      for (const stop of stopWatching) stop();
      active.delete(run.id);
    });
    active.set(run.id, { run, abort, finished });
    if (closing.signal.aborted) abort('shutdown');
    inBackground(finished);
  }

  async function checkStop(run: Run, abort: (reason: AbortReason) => void): Promise<void> {
    const live = await store.findLive(run.sessionId);
    if (live?.id !== run.id) abort('lease-lost');
    else if (live.isStopRequested) abort('stop');
  }

  async function execute(run: Run, signal: AbortSignal): Promise<void> {
    const progress = createProgress();
    let end: Pick<TurnOutcome, 'status' | 'error'>;
    try {
      const outcome =
        run.kind === 'compression'
          ? await compactor.execute(run, signal)
          : await loop.execute(run, run.profile, progress, signal);
      end = endOf(outcome, progress);
    } catch (error) {
      const why = signal.aborted ? signal.reason : error;
      // Whoever took the run over has told its end; of a session that is gone there is nothing left to tell.
      if (why instanceof LeaseLostError || isAppError(why, 'not-found')) return;
      if (why instanceof RunAborted) {
        if (why.reason === 'lease-lost') return;
        end = { status: why.reason === 'stop' ? 'stopped' : 'interrupted', error: null };
      } else {
        end = { status: 'failed', error: explainFailure(why) };
      }
    }
    await deltas.drain(run.sessionId);
    const next = await finish(run, progress, end);
    if (next !== null) start(next);
    if (end.status !== 'interrupted') {
      inBackground(afterTurn(run, end.status, { begin: start, closing: closing.signal }));
    }
  }

  function endOf(outcome: LoopOutcome, { step, plan }: RunProgress): Pick<TurnOutcome, 'status' | 'error'> {
    switch (outcome) {
      case 'done':
        return { status: 'done', error: null };
      case 'step-limit': {
        const message = `Stopped after ${step} steps without coming to an end. What was done is kept; resume to go on.`;
        return { status: 'failed', error: { code: 'step-limit', message } };
      }
      case 'stalled': {
        const message =
          `Stopped: the plan did not change in the last ${plan.discipline.idleSteps} steps, although the agent was told. ` +
          'The plan and what was done are kept; say what to do differently, or resume to go on.';
        return { status: 'failed', error: { code: 'plan-stalled', message } };
      }
    }
  }

  function explainFailure(error: unknown): NonNullable<TurnOutcome['error']> {
    if (error instanceof ModelCallError) {
      return { code: error.code, message: error.message, details: error.details ?? undefined };
    }
    if (isAppError(error)) return { code: error.code, message: error.message };
    const requestId = reportUnexpected(error);
    return { code: 'internal', message: `Something went wrong on the server (request ${requestId}).` };
  }

  async function finish(
    run: Run,
    progress: RunProgress,
    end: Pick<TurnOutcome, 'status' | 'error'>,
  ): Promise<Run | null> {
    const outcome: TurnOutcome = {
      ...end,
      partial: async () => ({
        text: progress.text,
        thinking: progress.thinking,
        step: progress.step,
        thinkingMs: progress.thinkingMs,
      }),
      turnEnd: toTurnEnd(run, progress, clock.now()),
      lastAssistantSequence: progress.lastAssistantSequence,
    };
    const isGoingDown = end.status === 'interrupted';
    const model = isGoingDown ? null : await modelOf(run.sessionId).catch(() => run.model);
    const { next } = await unitOfWork.run((tx) =>
      turns.end(tx, { ...run, model: run.model.id }, outcome, model === null ? null : { model }),
    );
    return next;
  }

  /** Settles a run whose lease is past: its text kept, its calls closed, the session free. Once, whoever comes first. */
  async function settle(stored: StoredRun): Promise<void> {
    const model = await modelOf(stored.sessionId).catch(() => null);
    const next = await unitOfWork.run(async (tx) => {
      const outcome: TurnOutcome = {
        status: stored.isStopRequested ? 'stopped' : 'interrupted',
        error: null,
        // Read once the fence is up: until then the worker that was thought dead may still write.
        partial: async () => {
          const rows = await eventStore.readRun(stored.sessionId, stored.id, tx.client);
          return { ...foldStep(rows), step: stored.step, thinkingMs: 0 };
        },
        turnEnd: null,
        lastAssistantSequence: null,
      };
      const ended = await turns.end(tx, stored, outcome, model === null ? null : { model });
      return ended.next;
    });
    if (next !== null) start(next);
  }

  /** Starts the queue of a session in which nothing is live. */
  async function startQueue(sessionId: string): Promise<void> {
    const model = await modelOf(sessionId);
    const next = await unitOfWork.run((tx) => turns.startQueue(tx, sessionId, model));
    if (next !== null) start(next);
  }

  /** One look at everything that nobody keeps: expired runs, stranded queues. One that fails holds up no other. */
  async function sweep(): Promise<void> {
    // Those of this process are alive, though the database may have been away for longer than their lease.
    await heartbeat();
    for (const run of await store.findExpired(SETTLE_LIMIT)) await settle(run).catch(reportUnexpected);
    for (const sessionId of await store.findStrandedQueues(SETTLE_LIMIT)) {
      await startQueue(sessionId).catch(reportUnexpected);
    }
  }

  async function heartbeat(): Promise<void> {
    const before = [...active.values()];
    if (before.length === 0) return;
    const ids = before.map(({ run }) => run.id);
    const kept = new Map((await store.heartbeat(workerId, ids, leaseMs)).map((row) => [row.id, row]));
    for (const { run, abort } of before) {
      const row = kept.get(run.id);
      if (row?.isStopRequested === true) abort('stop');
      else if (row === undefined && active.has(run.id)) abort('lease-lost');
    }
  }

  async function keep(work: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await work();
      } catch (error) {
        reportUnexpected(error);
      }
      await clock.sleep(leaseMs * HEARTBEAT_SHARE, closing.signal).catch(() => undefined);
    }
  }

  return {
    start,
    sweep,
    /** A look at once, because somebody met a run or a queue that seems abandoned. */
    sweepSoon: () => inBackground(sweep()),
    /** Begins to renew leases and to look for runs that nobody keeps. */
    open(): void {
      inBackground(keep(heartbeat));
      inBackground(keep(sweep));
    },
    /** Ends every run of this process as interrupted, with its text, and waits for that. */
    async close(): Promise<void> {
      closing.abort();
      for (const { abort } of active.values()) abort('shutdown');
      while (background.size > 0) await Promise.all(background);
    },
    get activeCount() {
      return active.size;
    },
  };
}

export type Runner = ReturnType<typeof createRunner>;
