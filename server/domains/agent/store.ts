/** The only code that knows runs, their approvals, and sends (the queue). Leases are judged by the database's clock. */
import type { Transaction } from '../../database/transaction';
import type { Approval, RunStatus } from '../../events/topics';
import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { storable, storableDeep } from '../../lib/text';
import type { QueuedMessage } from '../messages/schema';
import type { ApproveInput } from './schema';

type Client = Prisma.TransactionClient | PrismaClient;

export interface StoredRun {
  id: string;
  sessionId: string;
  status: RunStatus;
  /** `compression` holds the session as a turn does and says nothing. */
  kind: 'turn' | 'compression';
  epoch: number;
  model: string;
  step: number;
  afterSequence: number;
  startedAt: Date;
  isStopRequested: boolean;
  isLeaseExpired: boolean;
}

export interface StoredSend {
  clientMessageId: string;
  status: 'queued' | 'delivered' | 'cancelled';
  text: string;
  fileIds: string[];
  sequenceNumber: number | null;
  runId: string | null;
}

const runColumns = Prisma.sql`id, session_id AS "sessionId", status, kind, epoch, model, step, after_sequence AS "afterSequence",
  started_at AS "startedAt", stop_requested_at IS NOT NULL AS "isStopRequested", lease_expires_at < now() AS "isLeaseExpired"`;

interface QueuedRow {
  clientMessageId: string;
  text: string;
  fileIds: unknown;
  isPlanned: boolean;
  createdAt: Date;
}

function toQueued(row: QueuedRow): QueuedMessage {
  return {
    queuedId: row.clientMessageId,
    text: row.text,
    fileIds: row.fileIds as string[],
    ...(row.isPlanned ? { plan: true } : {}),
    createdAt: row.createdAt.toISOString(),
  };
}

export function createAgentStore(prisma: PrismaClient) {
  return {
    /** Takes the session for a run. Null when another run is live. The caller holds the session's row. */
    async claim(
      tx: Transaction,
      run: Pick<StoredRun, 'id' | 'sessionId' | 'kind' | 'model' | 'afterSequence'> & {
        workerId: string;
        leaseMs: number;
      },
    ): Promise<{ epoch: number; startedAt: Date } | null> {
      const [claimed] = await tx.client.$queryRaw<{ epoch: number; startedAt: Date }[]>`
        WITH head AS (
          UPDATE session_event_heads SET epoch = epoch + 1, run_id = ${run.id}
          WHERE session_id = ${run.sessionId} AND run_id IS NULL RETURNING epoch
        )
        INSERT INTO session_runs (id, session_id, kind, worker_id, epoch, model, after_sequence, lease_expires_at, started_at)
        SELECT ${run.id}, ${run.sessionId}, ${run.kind}::run_kind, ${run.workerId}, epoch, ${run.model}, ${run.afterSequence},
               now() + ${run.leaseMs} * interval '1 millisecond', now() FROM head
        RETURNING epoch, started_at AS "startedAt"`;
      return claimed ?? null;
    },

    /** Ends a live run and frees its session, in one statement. False when somebody else ended it first. */
    async end(
      tx: Transaction,
      run: { id: string; sessionId: string; epoch: number },
      status: Exclude<RunStatus, 'running'>,
      error: { code: string; message: string } | null,
    ): Promise<boolean> {
      const why = error === null ? null : JSON.stringify(storableDeep(error));
      const ended = await tx.client.$queryRaw<{ id: string }[]>`
        WITH ended AS (
          UPDATE session_runs SET status = ${status}::run_status, ended_at = now(), error = ${why}::jsonb
          WHERE id = ${run.id} AND epoch = ${run.epoch} AND status = 'running' RETURNING id, session_id
        ), freed AS (
          UPDATE session_event_heads h SET run_id = NULL, epoch = h.epoch + 1
          FROM ended WHERE h.session_id = ended.session_id AND h.run_id = ended.id
        )
        SELECT id FROM ended`;
      return ended.length === 1;
    },

    async setStep(tx: Transaction, runId: string, step: number): Promise<void> {
      await tx.client.$executeRaw`UPDATE session_runs SET step = ${step} WHERE id = ${runId}`;
    },

    /** The run that is live in a session, whoever owns it. */
    async findLive(sessionId: string, client: Client = prisma): Promise<StoredRun | null> {
      const rows = await client.$queryRaw<StoredRun[]>`
        SELECT ${runColumns} FROM session_runs
        WHERE id = (SELECT run_id FROM session_event_heads WHERE session_id = ${sessionId})`;
      return rows[0] ?? null;
    },

    /** The newest turn, whether or not it runs. */
    async findLatest(sessionId: string, client: Client = prisma): Promise<StoredRun | null> {
      const rows = await client.$queryRaw<StoredRun[]>`
        SELECT ${runColumns} FROM session_runs WHERE session_id = ${sessionId} AND kind = 'turn' ORDER BY started_at DESC LIMIT 1`;
      return rows[0] ?? null;
    },

    /**
     * Whether the turn before this run was interrupted, or any that ended since: those between, which failed or were stopped,
     * left things as it had left them.
     */
    async wasInterrupted(sessionId: string, runId: string, since: Date): Promise<boolean> {
      const others = { sessionId, kind: 'turn' as const, id: { not: runId } };
      const previous = await prisma.sessionRun.findFirst({
        where: others,
        orderBy: { startedAt: 'desc' },
        select: { status: true },
      });
      if (previous === null || previous.status === 'interrupted') return previous !== null;
      const ended = { ...others, status: 'interrupted' as const, endedAt: { gte: since } };
      return (await prisma.sessionRun.count({ where: ended })) > 0;
    },

    /** Renews the leases of runs that a worker executes. Runs missing from the answer are not its own any more. */
    async heartbeat(
      workerId: string,
      runIds: string[],
      leaseMs: number,
    ): Promise<{ id: string; isStopRequested: boolean }[]> {
      return prisma.$queryRaw<{ id: string; isStopRequested: boolean }[]>`
        UPDATE session_runs SET lease_expires_at = now() + ${leaseMs} * interval '1 millisecond'
        WHERE id = ANY(${runIds}::text[]) AND worker_id = ${workerId} AND status = 'running'
        RETURNING id, stop_requested_at IS NOT NULL AS "isStopRequested"`;
    },

    async requestStop(tx: Transaction, runId: string): Promise<void> {
      await tx.client.sessionRun.updateMany({
        where: { id: runId, stopRequestedAt: null },
        data: { stopRequestedAt: new Date() },
      });
    },

    /** Whether a run was asked to stop; until the transaction ends nobody can ask it. */
    async isStopRequested(tx: Transaction, runId: string): Promise<boolean> {
      const [run] = await tx.client.$queryRaw<{ isStopRequested: boolean }[]>`
        SELECT stop_requested_at IS NOT NULL AS "isStopRequested" FROM session_runs WHERE id = ${runId} FOR SHARE`;
      return run?.isStopRequested ?? false;
    },

    /** Live runs whose lease is past: their worker is dead or cut off. */
    async findExpired(limit: number): Promise<StoredRun[]> {
      return prisma.$queryRaw<StoredRun[]>`
        SELECT ${runColumns} FROM session_runs
        WHERE status = 'running' AND lease_expires_at < now() ORDER BY lease_expires_at LIMIT ${limit}`;
    },

    /** For the embedded engine at start: its folder was locked by this process, so no other worker can be alive. */
    async expireAll(): Promise<void> {
      await prisma.$executeRaw`
        UPDATE session_runs SET lease_expires_at = now() - interval '1 second' WHERE status = 'running'`;
    },

    // Sends and the queue

    async findSend(sessionId: string, clientMessageId: string, client: Client = prisma): Promise<StoredSend | null> {
      const [send] = await client.$queryRaw<StoredSend[]>`
        SELECT client_message_id AS "clientMessageId", status, text, file_ids AS "fileIds",
               sequence_number AS "sequenceNumber", run_id AS "runId"
        FROM message_sends WHERE session_id = ${sessionId} AND client_message_id = ${clientMessageId}`;
      return send ?? null;
    },

    async insertSend(
      tx: Transaction,
      send: { sessionId: string; clientMessageId: string } & (
        | { status: 'queued'; text: string; fileIds: string[]; isPlanned: boolean }
        | { status: 'delivered'; sequenceNumber: number; runId: string }
      ),
    ): Promise<void> {
      const data = send.status === 'queued' ? { ...send, text: storable(send.text) } : send;
      await tx.client.messageSend.create({ data, select: { sessionId: true } });
    },

    async readQueue(sessionId: string, client: Client = prisma): Promise<QueuedMessage[]> {
      const rows = await client.$queryRaw<QueuedRow[]>`
        SELECT client_message_id AS "clientMessageId", text, file_ids AS "fileIds", is_planned AS "isPlanned",
               created_at AS "createdAt"
        FROM message_sends WHERE session_id = ${sessionId} AND status = 'queued' ORDER BY position`;
      return rows.map(toQueued);
    },

    async markDelivered(
      tx: Transaction,
      send: { sessionId: string; clientMessageId: string; sequenceNumber: number; runId: string },
    ): Promise<void> {
      const { sessionId, clientMessageId, sequenceNumber, runId } = send;
      await tx.client.messageSend.update({
        where: { sessionId_clientMessageId: { sessionId, clientMessageId } },
        data: { status: 'delivered', sequenceNumber, runId, text: '' },
        select: { sessionId: true },
      });
    },

    /** Changes a message that still waits. False when it does not wait any more. */
    async updateQueued(
      tx: Transaction,
      { sessionId, clientMessageId }: { sessionId: string; clientMessageId: string },
      change: { text: string } | { status: 'cancelled' },
    ): Promise<boolean> {
      const { count } = await tx.client.messageSend.updateMany({
        where: { sessionId, clientMessageId, status: 'queued' },
        data: 'text' in change ? { text: storable(change.text) } : { ...change, text: '' },
      });
      return count === 1;
    },

    /** Sessions where messages wait although nothing runs: their worker died between two runs. */
    async findStrandedQueues(limit: number): Promise<string[]> {
      const rows = await prisma.$queryRaw<{ session_id: string }[]>`
        SELECT DISTINCT s.session_id FROM message_sends s
        JOIN session_event_heads h ON h.session_id = s.session_id AND h.run_id IS NULL
        JOIN sessions ON sessions.id = s.session_id AND sessions.removed_at IS NULL
        WHERE s.status = 'queued' LIMIT ${limit}`;
      return rows.map((row) => row.session_id);
    },

    // Approvals

    async askApproval(tx: Transaction, runId: string, approval: Approval): Promise<void> {
      await tx.client.runApproval.upsert({
        where: { runId_toolCallId: { runId, toolCallId: approval.toolCallId } },
        create: {
          runId,
          toolCallId: approval.toolCallId,
          toolName: approval.toolName,
          arguments: storableDeep(approval.arguments ?? {}) as Prisma.InputJsonValue,
          risk: approval.risk,
          mayHoldForSession: approval.mayHoldForSession ?? false,
        },
        update: {},
        select: { runId: true },
      });
    },

    async findDecision(runId: string, toolCallId: string): Promise<'approved' | 'denied' | null> {
      const row = await prisma.runApproval.findUnique({
        where: { runId_toolCallId: { runId, toolCallId } },
        select: { decision: true },
      });
      return row?.decision ?? null;
    },

    /** Whether the person allowed the tool for the rest of this session, or of one above it: a subagent works for that. */
    async isAllowedInSession(sessionId: string, toolName: string): Promise<boolean> {
      const rows = await prisma.$queryRaw<{ allowed: boolean }[]>`
        WITH RECURSIVE above AS (
          SELECT id, parent_id FROM sessions WHERE id = ${sessionId}
          UNION ALL
          SELECT s.id, s.parent_id FROM sessions s JOIN above ON s.id = above.parent_id
        )
        SELECT EXISTS (
          SELECT 1 FROM above JOIN session_runs r ON r.session_id = above.id JOIN run_approvals a ON a.run_id = r.id
          WHERE a.tool_name = ${toolName} AND a.holds_for_session AND a.decision = 'approved'
        ) AS allowed`;
      return rows[0]?.allowed === true;
    },

    /** Records the first answer. False when the call does not wait for one. */
    async answerApproval(
      tx: Transaction,
      sessionId: string,
      { toolCallId, decision, forSession = false }: Omit<ApproveInput, 'sessionId'>,
    ): Promise<boolean> {
      const waiting = await tx.client.runApproval.findFirst({
        where: { toolCallId, decision: null, run: { sessionId } },
        orderBy: { askedAt: 'desc' },
        select: { runId: true, mayHoldForSession: true },
      });
      if (waiting === null) return false;
      const holdsForSession = forSession && waiting.mayHoldForSession && decision === 'approved';
      const { count } = await tx.client.runApproval.updateMany({
        where: { runId: waiting.runId, toolCallId, decision: null },
        data: { decision, holdsForSession, answeredAt: new Date() },
      });
      return count === 1;
    },

    async readApprovals(sessionId: string, client: Client = prisma): Promise<Approval[]> {
      const rows = await client.runApproval.findMany({
        where: { decision: null, run: { sessionId } },
        orderBy: { askedAt: 'asc' },
      });
      return rows.map((row) => ({
        toolCallId: row.toolCallId,
        toolName: row.toolName,
        arguments: row.arguments,
        risk: row.risk as Approval['risk'],
        mayHoldForSession: row.mayHoldForSession,
      }));
    },

    /** Withdraws what still waits: the turn went on without it. */
    async dropApprovals(tx: Transaction, sessionId: string): Promise<void> {
      await tx.client.runApproval.updateMany({
        where: { decision: null, run: { sessionId } },
        data: { decision: 'denied', answeredAt: new Date() },
      });
    },
  };
}

export type AgentStore = ReturnType<typeof createAgentStore>;
