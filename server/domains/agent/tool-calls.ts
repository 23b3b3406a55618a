/** The tool calls of one step, in order: ask where asking is due, run, store the result. A failing tool is a result. */
import type { UnitOfWork } from '../../database/transaction';
import type { Bus } from '../../events/bus';
import type { DeltaWriter } from '../../events/delta-writer';
import type { EventLog } from '../../events/log';
import type { Clock } from '../../lib/clock';
import type { Attachment, MessageMetadata, ToolCall } from '../messages/schema';
import type { MessageService } from '../messages/service';
import type { Profile } from '../profiles/schema';
import type { SessionService } from '../sessions/service';
import { malformedOf } from './engine/malformed';
import { type Run, RunAborted, type RunProgress } from './run';
import type { AgentStore } from './store';
import { approvalRuleOf, defaultApprovalPolicy } from './tools/approval';
import { executeToolCall } from './tools/execute-tool-call';
import type { ToolRegistry } from './tools/registry';
import { selectTools } from './tools/select-tools';

export interface ToolCallRunnerDependencies {
  store: AgentStore;
  sessions: Pick<SessionService, 'rootOf'>;
  messages: MessageService;
  unitOfWork: UnitOfWork;
  events: EventLog;
  deltas: DeltaWriter;
  bus: Bus;
  tools: ToolRegistry;
  clock: Clock;
  settings: { switchedOnTools: readonly string[] };
  reportUnexpected(error: unknown): void;
}

export interface ToolCallBatch {
  run: Run;
  profile: Profile;
  progress: RunProgress;
  signal: AbortSignal;
  calls: readonly ToolCall[];
  /** The run whose answer asked for the calls: an earlier one when a turn is resumed. */
  askedBy: string;
}

interface Result {
  status: NonNullable<MessageMetadata['toolStatus']>;
  text: string;
  metadata: Record<string, unknown>;
  images?: Attachment[];
  durationMs: number;
}

/** Milliseconds between looks at an unanswered approval, in case the wake-up was lost. */
const APPROVAL_POLL_MS = 10_000;

export function createToolCallRunner(dependencies: ToolCallRunnerDependencies) {
  const { store, sessions, messages, unitOfWork, events, deltas, bus, tools, clock, settings, reportUnexpected } =
    dependencies;

  /** Asks the person and waits, as long as it takes. An answer that is already there (the run was resumed) counts. */
  async function isAllowed(
    { run, profile, progress, signal, askedBy }: ToolCallBatch,
    call: ToolCall,
  ): Promise<boolean> {
    const tool = tools.find(call.name);
    if (tool === null) return true;
    const rule = approvalRuleOf(tool, { ...defaultApprovalPolicy, ...profile.approvals });
    if (rule === 'never') return true;
    const known = await store.findDecision(askedBy, call.id);
    if (known !== null) return known === 'approved';
    if (rule === 'ask' && (await store.isAllowedInSession(run.sessionId, tool.name))) return true;
    const approval = {
      toolCallId: call.id,
      toolName: call.name,
      arguments: call.arguments,
      risk: tool.class,
      mayHoldForSession: rule === 'ask',
    };
    let wake = () => {};
    const stopListening = bus.on(`run:${run.id}`, () => wake());
    try {
      await unitOfWork.run(async (tx) => {
        await store.askApproval(tx, askedBy, approval);
        events.touchUser(tx, run.userId, await sessions.rootOf(run.sessionId, tx), 'updated');
        await events.append(
          tx,
          run.sessionId,
          [{ kind: 'approval-asked', runId: run.id, step: progress.step, approval }],
          run.epoch,
        );
      });
      for (;;) {
        signal.throwIfAborted();
        const decision = await store.findDecision(askedBy, call.id);
        if (decision !== null) return decision === 'approved';
        const answered = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const rest = new AbortController();
        await Promise.race([
          answered,
          clock.sleep(APPROVAL_POLL_MS, AbortSignal.any([signal, rest.signal])).catch(() => undefined),
        ]);
        rest.abort();
      }
    } finally {
      stopListening();
    }
  }

  async function runOne(batch: ToolCallBatch, call: ToolCall): Promise<Result> {
    const { run, progress, signal } = batch;
    const startedAt = clock.now();
    const target = { sessionId: run.sessionId, runId: run.id, epoch: run.epoch, step: progress.step };
    const common = { runId: run.id, step: progress.step };
    await deltas.drain(run.sessionId);
    await unitOfWork.run((tx) =>
      events.append(
        tx,
        run.sessionId,
        [
          {
            kind: 'tool-call',
            ...common,
            toolCallId: call.id,
            toolName: call.name,
            arguments: call.arguments,
            startedAt: startedAt.toISOString(),
          },
        ],
        run.epoch,
      ),
    );
    if (!(await isAllowed(batch, call))) {
      return { status: 'denied', text: 'The person did not allow this call.', metadata: {}, durationMs: 0 };
    }
    return executeToolCall({
      call: { name: call.name, arguments: call.arguments, malformed: malformedOf(call.arguments) },
      tools: selectTools(tools, batch.profile, settings.switchedOnTools),
      context: {
        sessionId: run.sessionId,
        userId: run.userId ?? '',
        runId: run.id,
        epoch: run.epoch,
        toolCallId: call.id,
        signal,
        reportProgress: (text, about) =>
          deltas.addEvent(target, {
            kind: 'tool-progress',
            ...common,
            toolCallId: call.id,
            text: text.slice(0, 500),
            ...about,
          }),
      },
      clock,
      onUnexpectedError: reportUnexpected,
    });
  }

  /** The calls from `from` on that may run side by side: neighbours, all of one tool that allows it. */
  function groupAt(calls: readonly ToolCall[], from: number): ToolCall[] {
    const name = calls[from]?.name ?? '';
    const most = tools.find(name)?.maxParallel ?? 1;
    const group: ToolCall[] = [];
    while (group.length < most && calls[from + group.length]?.name === name) {
      group.push(calls[from + group.length] as ToolCall);
    }
    return group;
  }

  /** When one of them ends the run (its lease is lost), the others are aborted and waited for. */
  async function runSideBySide(batch: ToolCallBatch, group: ToolCall[]): Promise<{ call: ToolCall; result: Result }[]> {
    const rest = new AbortController();
    const signal = AbortSignal.any([batch.signal, rest.signal]);
    const outcomes = await Promise.allSettled(
      group.map(async (call) => {
        try {
          return { call, result: await runOne({ ...batch, signal }, call) };
        } catch (error) {
          rest.abort(error);
          throw error;
        }
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw rest.signal.reason ?? failed.reason;
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  async function save({ run, progress, signal }: ToolCallBatch, call: ToolCall, result: Result): Promise<void> {
    const isShutdown = signal.reason instanceof RunAborted && signal.reason.reason === 'shutdown';
    await deltas.drain(run.sessionId);
    await messages.appendAndTell({
      sessionId: run.sessionId,
      epoch: run.epoch,
      drafts: [
        {
          role: 'tool',
          content: result.text,
          toolCallId: call.id,
          name: call.name,
          images: result.images === undefined || result.images.length === 0 ? null : result.images,
          isCompressionCritical: tools.find(call.name)?.isCompressionCritical ?? false,
          metadata: {
            ...result.metadata,
            runId: run.id,
            step: progress.step,
            toolStatus: result.status === 'stopped' && isShutdown ? 'interrupted' : result.status,
            durationMs: Math.round(result.durationMs),
          },
        },
      ],
      events: [{ kind: 'tool-result', runId: run.id, step: progress.step, toolCallId: call.id, status: result.status }],
    });
  }

  return {
    /** Runs every call and stores every result. When the run is aborted, the calls that are left are for the settlement. */
    async runAll(batch: ToolCallBatch): Promise<void> {
      for (let next = 0; next < batch.calls.length; ) {
        batch.signal.throwIfAborted();
        const group = groupAt(batch.calls, next);
        next += group.length;
        batch.progress.toolCalls += group.length;
        const results = await runSideBySide(batch, group);
        // Results stand in the order of the calls, whichever ended first.
        for (const { call, result } of results) await save(batch, call, result);
      }
    },
  };
}

export type ToolCallRunner = ReturnType<typeof createToolCallRunner>;
