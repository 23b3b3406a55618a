/**
 * Files of sessions: uploaded, pasted, made by the agent. Bytes go to the disk first, then a row names them: a row without
 * bytes never stands, bytes without a row are cleaned up. The disk is never awaited inside a transaction.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Transaction, UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import { storable } from '../../lib/text';
import type { Attachment } from '../messages/schema';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import { type Detected, detectContent, SAMPLE_BYTES } from './detect';
import type { ReceivedBytes, SessionDisk } from './disk';
import { imageExtension } from './engine/content-type';
import { freeName, nextImageNumber, uploadName } from './engine/names';
import { refuseContent, refusedExtensions, refuseExtension, refuseUnreadableImage } from './engine/refusals';
import type { FileEntry, FileLimits, FileOrigin } from './schema';
import type { FileStore, StoredFile } from './store';
import { foldName } from './workspace/safe-path';

export interface FileServiceDependencies {
  store: FileStore;
  disk: SessionDisk;
  sessions: Pick<SessionService, 'authorise' | 'lock' | 'lockAny' | 'findAny' | 'update'>;
  unitOfWork: UnitOfWork;
  events: Pick<EventLog, 'append'>;
  clock: Clock;
  newId(): string;
  /** Largest upload, in bytes (`session_files_max_size_mb`). */
  maxUploadBytes: number;
}

/** One file that comes in. */
export interface IncomingFile {
  /** As the client sent it. */
  sentName: string;
  source: Readable;
  /** Pasted or attached as an image: numbered, and the same bytes are kept once. */
  asImage: boolean;
  signal?: AbortSignal | undefined;
}

/** One file that the agent adds. */
export interface AgentFile {
  name: string;
  source: Readable;
  maxBytes: number;
  signal?: AbortSignal | undefined;
  isPublished?: boolean;
  /** Must be an image; the same bytes are kept once. */
  isImage?: boolean;
}

export interface CarriedFiles {
  insert(tx: Transaction): Promise<void>;
  discard(): Promise<void>;
}

export function toEntry(file: StoredFile): FileEntry {
  const { id, name, kind, mimeType, sizeBytes, origin } = file;
  return {
    id,
    name,
    kind,
    mimeType,
    sizeBytes,
    origin,
    isPublished: file.publishedAt !== null,
    createdAt: file.createdAt.toISOString(),
  };
}

export function createFileService(dependencies: FileServiceDependencies) {
  const { store, disk, sessions, unitOfWork, events, clock, newId, maxUploadBytes } = dependencies;
  const notFound = () => new AppError('not-found', 'This file does not exist any more.');

  /** Tells whoever looks at the session's files; last in a transaction. */
  const tellChange = (tx: Transaction, sessionId: string) => events.append(tx, sessionId, [{ kind: 'files-changed' }]);

  async function setPublished(sessionId: string, fileId: string): Promise<StoredFile> {
    return unitOfWork.run(async (tx) => {
      const published = await store.setPublished(tx, sessionId, fileId, clock.now());
      if (published === null) throw notFound();
      await tellChange(tx, sessionId);
      return published;
    });
  }

  /** Moves received bytes to their place and gives them a row. `lock` is the caller's right to the session. */
  async function keep(
    sessionId: string,
    received: ReceivedBytes,
    detected: Detected,
    options: {
      name: string;
      origin: FileOrigin;
      isPublished?: boolean;
      /** An image whose bytes the session has already is that one. */
      isOnce: boolean;
      lock(tx: Transaction): Promise<StoredSession>;
    },
  ): Promise<StoredFile> {
    const id = newId();
    await disk.keep(received, sessionId, id);
    const { kind, mimeType, width, height } = detected;
    const { sizeBytes, sha256 } = received;
    const isImage = options.origin === 'image';
    try {
      const kept = await unitOfWork.run(async (tx) => {
        // The session's row: two uploads of one name, or two pastes at once, get their numbers one after the other.
        const session = await options.lock(tx);
        const same = options.isOnce ? await store.findImageBytes(sessionId, sha256, tx.client) : null;
        if (same !== null) return same;
        const names = new Set(await store.listNames(sessionId, tx.client));
        const name = isImage
          ? `image_${await nextImage(tx, session, names)}.${imageExtension(mimeType)}`
          : freeName(options.name, (candidate) => names.has(candidate));
        const publishedAt = options.isPublished === true ? clock.now() : null;
        const content = { storedAs: id, kind, mimeType, sizeBytes, sha256, width, height };
        const file = { id, sessionId, name, origin: options.origin, publishedAt, ...content };
        const inserted = await store.insert(tx, file);
        await tellChange(tx, sessionId);
        return inserted;
      });
      if (kept.id !== id) await disk.remove(sessionId, id);
      return kept;
    } catch (error) {
      await disk.remove(sessionId, id);
      throw error;
    }
  }

  /** Hands out the next number. The session remembers it, so that no later picture is called like one that was removed. */
  async function nextImage(tx: Transaction, session: StoredSession, names: ReadonlySet<string>): Promise<number> {
    const number = nextImageNumber([...names], session.metadata.last_image_number ?? 0);
    await sessions.update(tx, session.id, { metadata: { ...session.metadata, last_image_number: number } });
    return number;
  }

  async function lockForAgent(tx: Transaction, sessionId: string): Promise<StoredSession> {
    const session = await sessions.lockAny(tx, sessionId);
    if (session === null) throw new AppError('not-found', 'This chat does not exist or was deleted.');
    return session;
  }

  /** Bytes on the disk that are no program; nothing is left of those that are. */
  async function receiveChecked(
    sessionId: string,
    name: string,
    { source, maxBytes, signal }: Pick<AgentFile, 'source' | 'maxBytes' | 'signal'>,
    check: (detected: Detected) => void = () => {},
  ): Promise<{ bytes: ReceivedBytes; detected: Detected }> {
    const bytes = await disk.receive(sessionId, source, { maxBytes, sampleBytes: SAMPLE_BYTES, signal });
    try {
      const detected = await detectContent(name, bytes.sample, bytes.sizeBytes);
      refuseContent(detected);
      check(detected);
      return { bytes, detected };
    } catch (error) {
      await disk.discard(bytes);
      throw error;
    }
  }

  async function requireFile(person: Person, sessionId: string, fileId: string): Promise<StoredFile> {
    await sessions.authorise(person, sessionId);
    const file = await store.find(sessionId, fileId);
    if (file === null) throw notFound();
    return file;
  }

  /** By its shown name; one that only reads the same is taken where there is exactly one (a model rewrites spaces and accents). */
  async function findByName(sessionId: string, name: string): Promise<StoredFile | null> {
    // No stored name is such a text, and the database cannot even be asked for it.
    if (storable(name) !== name) return null;
    const exact = await store.findByName(sessionId, name);
    if (exact !== null) return exact;
    const alike = (await store.listNames(sessionId)).filter((other) => foldName(other) === foldName(name));
    return alike.length === 1 && alike[0] !== undefined ? store.findByName(sessionId, alike[0]) : null;
  }

  async function openBytes(file: StoredFile): Promise<FileHandle> {
    const handle = await disk.open(file.sessionId, file.storedAs);
    if (handle === null) throw notFound();
    return handle;
  }

  return {
    limits: (): FileLimits => ({ maxSizeBytes: maxUploadBytes, refusedExtensions: [...refusedExtensions] }),

    async list(person: Person, sessionId: string): Promise<{ items: FileEntry[]; limits: FileLimits }> {
      await sessions.authorise(person, sessionId);
      return { items: (await store.list(sessionId)).map(toEntry), limits: this.limits() };
    },

    /** Throws not-found before a byte is read when the person may not see the session. */
    authorise: async (person: Person, sessionId: string): Promise<void> => {
      await sessions.authorise(person, sessionId);
    },

    /**
     * Stores one upload. Throws AppError with words for people: `too-large`, `invalid-input` for refused names and contents.
     * An image that is none after all is kept as an ordinary file. The source is read to its end or destroyed.
     */
    async upload(person: Person, sessionId: string, file: IncomingFile): Promise<FileEntry> {
      const name = uploadName(file.sentName);
      refuseExtension(name);
      const { bytes, detected } = await receiveChecked(
        sessionId,
        name,
        { source: file.source, maxBytes: maxUploadBytes, signal: file.signal },
        ({ mimeType }) => {
          if (file.asImage) refuseUnreadableImage(mimeType);
        },
      );
      const isImage = file.asImage && detected.kind === 'image';
      const kept = await keep(sessionId, bytes, detected, {
        name,
        origin: isImage ? 'image' : 'upload',
        isOnce: isImage,
        lock: (tx) => sessions.lock(tx, person, sessionId),
      });
      return toEntry(kept);
    },

    /** Registers a file as an artifact; a second time changes nothing. */
    async publish(person: Person, sessionId: string, fileId: string): Promise<FileEntry> {
      const file = await requireFile(person, sessionId, fileId);
      return toEntry(await setPublished(sessionId, file.id));
    },

    /** Row and bytes. Messages that name it keep saying that it was there. */
    async remove(person: Person, sessionId: string, fileId: string): Promise<void> {
      const file = await requireFile(person, sessionId, fileId);
      await unitOfWork.run(async (tx) => {
        if (!(await store.remove(tx, sessionId, file.id))) throw notFound();
        await tellChange(tx, sessionId);
      });
      await disk.remove(sessionId, file.storedAs);
    },

    /** By its shown name, for who may see the session. Throws not-found. */
    async getByName(person: Person, sessionId: string, name: string): Promise<StoredFile> {
      await sessions.authorise(person, sessionId);
      const file = await findByName(sessionId, name);
      if (file === null) throw notFound();
      return file;
    },

    /** The very file that a message names, for who may see the session: its name may be another's by now. Throws not-found. */
    getById: requireFile,

    /** The open bytes of a file that the caller has the right to; the caller closes the handle. Throws not-found when they are gone. */
    openBytes,

    /**
     * For domains above, which have checked the right themselves (a share's token): the file and its open bytes, null when
     * there is no such file in this session. The caller closes the handle.
     */
    async openForReading(sessionId: string, fileId: string): Promise<{ file: StoredFile; handle: FileHandle } | null> {
      const file = await store.find(sessionId, fileId);
      const handle = file === null ? null : await disk.open(sessionId, file.storedAs);
      return file === null || handle === null ? null : { file, handle };
    },

    /**
     * What a fork of a session takes along: all of its files, under the same ids and names, their bytes shared where the disk
     * can. Bytes first, as ever: `insert` in the fork's transaction, `discard` when that fails.
     */
    async prepareFork(fromSessionId: string, toSessionId: string): Promise<CarriedFiles> {
      const carried = await store.list(fromSessionId);
      const discard = () => disk.removeSession(toSessionId);
      try {
        await disk.carryOver(
          fromSessionId,
          toSessionId,
          carried.map((file) => file.storedAs),
        );
      } catch (error) {
        await discard();
        throw error;
      }
      return {
        discard,
        async insert(tx) {
          await store.copy(tx, carried, toSessionId);
          const number = (await sessions.findAny(fromSessionId, tx))?.metadata.last_image_number;
          const fork = await sessions.findAny(toSessionId, tx);
          if (number === undefined || fork === null) return;
          await sessions.update(tx, toSessionId, { metadata: { ...fork.metadata, last_image_number: number } });
        },
      };
    },

    // For the agent: by authority of the run, which belongs to the session.

    /**
     * Stores something that the agent made or fetched. Programs are refused as uploads are; source that only runs when
     * somebody means it to (`.py`, `.sh`) is welcome. Throws as `upload` does, and not-found when the session is gone.
     */
    async add(sessionId: string, file: AgentFile): Promise<StoredFile> {
      const name = uploadName(file.name);
      refuseExtension(name, 'agent');
      const received = await receiveChecked(sessionId, name, file, ({ kind }) => {
        if (file.isImage === true && kind !== 'image') throw noImage({ name, kind });
      });
      return keep(sessionId, received.bytes, received.detected, {
        name,
        origin: 'agent',
        isPublished: file.isPublished ?? false,
        isOnce: file.isImage ?? false,
        lock: (tx) => lockForAgent(tx, sessionId),
      });
    },

    /** Other bytes under the name and id of a file. */
    async replace(file: StoredFile, content: Pick<AgentFile, 'source' | 'maxBytes' | 'signal'>): Promise<StoredFile> {
      const { bytes, detected } = await receiveChecked(file.sessionId, file.name, content);
      const storedAs = newId();
      await disk.keep(bytes, file.sessionId, storedAs);
      const { kind, mimeType, width, height } = detected;
      const { sizeBytes, sha256 } = bytes;
      try {
        const replaced = await unitOfWork.run(async (tx) => {
          await lockForAgent(tx, file.sessionId);
          const fresh = { storedAs, kind, mimeType, sizeBytes, sha256, width, height };
          const after = await store.replace(tx, file.sessionId, file.id, fresh);
          await tellChange(tx, file.sessionId);
          return after;
        });
        await disk.remove(file.sessionId, file.storedAs);
        return replaced;
      } catch (error) {
        await disk.remove(file.sessionId, storedAs);
        throw error;
      }
    },

    publishFile: (file: StoredFile): Promise<StoredFile> => setPublished(file.sessionId, file.id),

    findByName,
    /** The file that an absolute path names, by its shown name or by ours; null when it leads elsewhere or to none. */
    async findAt(sessionId: string, path: string): Promise<StoredFile | null> {
      const name = await disk.nameAt(sessionId, path);
      if (name === null) return null;
      const all = await store.list(sessionId);
      return all.find((file) => file.name === name) ?? all.find((file) => file.storedAs === name) ?? null;
    },
    listAll: (sessionId: string) => store.list(sessionId),
    findMany: (sessionId: string, fileIds: readonly string[]) => store.findMany(sessionId, fileIds),

    /**
     * What a message with these files says of them, in their order. `isStrict` throws not-found when one is missing; without
     * it a missing one is left out, as nothing may be lost over a file that was removed while the message waited.
     */
    async attachmentsOf(
      tx: Transaction,
      sessionId: string,
      fileIds: readonly string[],
      { isStrict }: { isStrict: boolean },
    ): Promise<{ files: Attachment[] | null; images: Attachment[] | null }> {
      const unique = [...new Set(fileIds)];
      const found = new Map((await store.findMany(sessionId, unique, tx.client)).map((file) => [file.id, file]));
      if (isStrict && found.size < unique.length) {
        throw new AppError(
          'not-found',
          'One of the attached files does not exist any more. Take it out and send again.',
          {
            details: { fileIds: unique.filter((id) => !found.has(id)) },
          },
        );
      }
      const attached = unique.flatMap((id) => found.get(id) ?? []).map(toAttachment);
      const images = attached.filter((one) => one.kind === 'image');
      const files = attached.filter((one) => one.kind !== 'image');
      return { files: files.length === 0 ? null : files, images: images.length === 0 ? null : images };
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;

/** A file as a message names it. */
export function toAttachment({ id, name, kind, mimeType, sizeBytes, width, height }: StoredFile): Attachment {
  const pixels = width === null || height === null ? {} : { width, height };
  return { id, name, kind, mimeType, sizeBytes, ...pixels };
}

/** For an agent that wants to look at something that is none. */
export const noImage = ({ name, kind }: Pick<StoredFile, 'name' | 'kind'>): AppError =>
  new AppError('invalid-input', `${JSON.stringify(name)} is no image but ${kind}.`);
