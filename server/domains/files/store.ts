/** The only code that knows `session_files`. Every query names the session; who may see it is the service's part. */
import type { Transaction } from '../../database/transaction';
import { Prisma, type PrismaClient, type SessionFile } from '../../generated/prisma/client';
import type { FileKind, FileOrigin } from './schema';
import { fileKindSchema } from './schema';

type Client = Prisma.TransactionClient | PrismaClient;

/** A file as services use it. */
export interface StoredFile {
  id: string;
  sessionId: string;
  name: string;
  /** Name on disk; never leaves the server. */
  storedAs: string;
  kind: FileKind;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  origin: FileOrigin;
  publishedAt: Date | null;
  createdAt: Date;
}

export type NewFile = Omit<StoredFile, 'publishedAt' | 'createdAt'> & { publishedAt?: Date | null };

function toStored(row: SessionFile): StoredFile {
  // A kind of a later version opens as nothing in particular.
  return { ...row, kind: fileKindSchema.catch('other').parse(row.kind), sizeBytes: Number(row.sizeBytes) };
}

export function createFileStore(prisma: PrismaClient) {
  return {
    /** The caller holds the session's row and chose a free name. */
    async insert(tx: Transaction, file: NewFile): Promise<StoredFile> {
      return toStored(await tx.client.sessionFile.create({ data: { ...file, sizeBytes: BigInt(file.sizeBytes) } }));
    },

    /** Newest first. */
    async list(sessionId: string, client: Client = prisma): Promise<StoredFile[]> {
      const rows = await client.sessionFile.findMany({
        where: { sessionId },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return rows.map(toStored);
    },

    async find(sessionId: string, fileId: string, client: Client = prisma): Promise<StoredFile | null> {
      const row = await client.sessionFile.findUnique({ where: { sessionId_id: { sessionId, id: fileId } } });
      return row === null ? null : toStored(row);
    },

    async findMany(sessionId: string, fileIds: readonly string[], client: Client = prisma): Promise<StoredFile[]> {
      if (fileIds.length === 0) return [];
      const rows = await client.sessionFile.findMany({ where: { sessionId, id: { in: [...fileIds] } } });
      return rows.map(toStored);
    },

    async findByName(sessionId: string, name: string, client: Client = prisma): Promise<StoredFile | null> {
      const row = await client.sessionFile.findUnique({ where: { sessionId_name: { sessionId, name } } });
      return row === null ? null : toStored(row);
    },

    async listNames(sessionId: string, client: Client = prisma): Promise<string[]> {
      const rows = await client.sessionFile.findMany({ where: { sessionId }, select: { name: true } });
      return rows.map((row) => row.name);
    },

    /** The oldest image that holds exactly these bytes. */
    async findImageBytes(sessionId: string, sha256: string, client: Client = prisma): Promise<StoredFile | null> {
      const row = await client.sessionFile.findFirst({
        where: { sessionId, sha256, kind: 'image' },
        orderBy: { createdAt: 'asc' },
      });
      return row === null ? null : toStored(row);
    },

    async setPublished(tx: Transaction, sessionId: string, fileId: string, at: Date): Promise<StoredFile | null> {
      await tx.client.sessionFile.updateMany({
        where: { sessionId, id: fileId, publishedAt: null },
        data: { publishedAt: at },
      });
      return this.find(sessionId, fileId, tx.client);
    },

    /** New bytes under the same name and id. */
    async replace(
      tx: Transaction,
      sessionId: string,
      fileId: string,
      content: Pick<StoredFile, 'storedAs' | 'kind' | 'mimeType' | 'sizeBytes' | 'sha256' | 'width' | 'height'>,
    ): Promise<StoredFile> {
      return toStored(
        await tx.client.sessionFile.update({
          where: { sessionId_id: { sessionId, id: fileId } },
          data: { ...content, sizeBytes: BigInt(content.sizeBytes) },
        }),
      );
    },

    /** False when it was gone. */
    async remove(tx: Transaction, sessionId: string, fileId: string): Promise<boolean> {
      const { count } = await tx.client.sessionFile.deleteMany({ where: { sessionId, id: fileId } });
      return count === 1;
    },

    /** The same files in another session, ids kept: its copied messages name them. */
    async copy(tx: Transaction, files: readonly StoredFile[], toSessionId: string): Promise<void> {
      if (files.length === 0) return;
      await tx.client.sessionFile.createMany({
        data: files.map((file) => ({ ...file, sessionId: toSessionId, sizeBytes: BigInt(file.sizeBytes) })),
      });
    },

    // For the clean-up job.

    /** Which of these sessions exist, removed ones within their grace included. */
    async existingSessions(sessionIds: readonly string[]): Promise<Set<string>> {
      const rows = await prisma.$queryRaw<
        { id: string }[]
      >`SELECT id FROM sessions WHERE id = ANY(${[...sessionIds]}::text[])`;
      return new Set(rows.map((row) => row.id));
    },

    async listStoredNames(sessionId: string): Promise<Set<string>> {
      const rows = await prisma.sessionFile.findMany({ where: { sessionId }, select: { storedAs: true } });
      return new Set(rows.map((row) => row.storedAs));
    },

    /** What tells this database from another: the id of its first migration, which a dump carries along. */
    async databaseId(): Promise<string | null> {
      const rows = await prisma.$queryRaw<{ id: string }[]>(
        Prisma.sql`SELECT id FROM _prisma_migrations ORDER BY started_at LIMIT 1`,
      );
      return rows[0]?.id ?? null;
    },
  };
}

export type FileStore = ReturnType<typeof createFileStore>;
