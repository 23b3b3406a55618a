/** The only code that knows `protocol_runs`. */
import type { Transaction } from '../../database/transaction';
import type { PrismaClient, ProtocolRun as ProtocolRunRow } from '../../generated/prisma/client';
import { storable } from '../../lib/text';
import type { ProtocolRun, ProtocolRunStatus } from './schema';

const toRun = ({ id, protocolId, name, status, note, startedAt, endedAt }: ProtocolRunRow): ProtocolRun => ({
  id,
  protocolId,
  name,
  status,
  note,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

export function createProtocolStore(prisma: PrismaClient) {
  return {
    async insert(
      tx: Transaction,
      run: { id: string; sessionId: string; protocolId: string; name: string },
    ): Promise<ProtocolRun> {
      return toRun(await tx.client.protocolRun.create({ data: { ...run, name: storable(run.name) } }));
    },
    /** The runs of one session, newest first. */
    async list(sessionId: string, limit: number, tx?: Transaction): Promise<ProtocolRun[]> {
      const rows = await (tx?.client ?? prisma).protocolRun.findMany({
        where: { sessionId },
        orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
        take: limit,
      });
      return rows.map(toRun);
    },
    async listActive(tx: Transaction, sessionId: string): Promise<ProtocolRun[]> {
      const rows = await tx.client.protocolRun.findMany({
        where: { sessionId, status: 'active' },
        orderBy: { startedAt: 'asc' },
      });
      return rows.map(toRun);
    },
    async end(
      tx: Transaction,
      runId: string,
      status: Exclude<ProtocolRunStatus, 'active'>,
      note: string | null,
    ): Promise<void> {
      await tx.client.protocolRun.update({
        where: { id: runId },
        data: { status, note: note === null ? null : storable(note), endedAt: new Date() },
      });
    },
  };
}

export type ProtocolStore = ReturnType<typeof createProtocolStore>;
