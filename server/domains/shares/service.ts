/**
 * Public read-only links of sessions (seed 004, product §10). One link per session; whoever holds its token reads the
 * session as it is displayed now, and nothing else. There is no way to take a link back but deleting the session: a removed
 * session is found by nobody, so its link is dead from that moment, and alive again when the removal is taken back.
 */
import type { FileHandle } from 'node:fs/promises';
import type { UnitOfWork } from '../../database/transaction';
import type { Clock } from '../../lib/clock';
import { AppError } from '../../lib/errors';
import type { Person } from '../../lib/person';
import type { FileRef } from '../files/schema';
import type { MessageService } from '../messages/service';
import type { ProfileService } from '../profiles/service';
import type { SessionService } from '../sessions/service';
import type { StoredSession } from '../sessions/store';
import { checkForSecrets } from './check';
import { createHiding, filesShownBy, presentMessage } from './engine/present-message';
import { canShareSession } from './policy';
import { readArtifact } from './read-artifact';
import type { Share, SharedPage, SharedSession, SharesCheck, ShareView } from './schema';
import type { ShareStore } from './store';

/** A file of a session with its open bytes; whoever gets it closes the handle. */
export interface OpenedFile {
  file: Pick<FileRef, 'name' | 'kind' | 'mimeType' | 'sizeBytes'>;
  handle: FileHandle;
}

export interface ShareServiceDependencies {
  store: ShareStore;
  sessions: SessionService;
  messages: MessageService;
  profiles: ProfileService;
  unitOfWork: UnitOfWork;
  clock: Clock;
  newToken(): string;
  /** Opens a file of a session; null when there is none with that id. */
  openFile(sessionId: string, fileId: string): Promise<OpenedFile | null>;
  /** The same for a small rendition that every browser draws; null for what is no image. */
  openThumbnail(sessionId: string, fileId: string): Promise<OpenedFile | null>;
}

/** Messages of one page: a few screens. Fewer than the owner's, as the first paint waits for all of them. */
const PAGE_SIZE = 30;
/** Longest list of a person's shares. */
const MAX_LISTED = 500;
/** What `newToken` makes: 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const FILE_ID = /^[A-Za-z0-9_-]{1,100}$/;

/** The address of a share; the token stands behind `#` and never reaches a server in a request line. */
export const shareUrl = (origin: string, token: string): string => `${origin}/#share=${token}`;

export function createShareService(dependencies: ShareServiceDependencies) {
  const { store, sessions, messages, profiles, unitOfWork, clock, newToken } = dependencies;
  /** One answer for everything that is no live share: unknown, mistyped, deleted. */
  const noShare = () =>
    new AppError('not-found', 'This link does not lead anywhere: the chat was deleted, or never shared.');
  const noSession = () => new AppError('not-found', 'This chat does not exist or was deleted.');

  function check(person: Person, session: StoredSession | null): StoredSession {
    if (session === null || !canShareSession(person, session)) throw noSession();
    if (session.parentId !== null) {
      throw new AppError('conflict', 'A subagent’s chat is shared with the chat that started it, not on its own.');
    }
    return session;
  }

  /** The session behind a token, by authority of the token alone. Throws not-found, always the same. */
  async function resolve(token: string): Promise<StoredSession> {
    const share = TOKEN.test(token) ? await store.findByToken(token) : null;
    const session = share === null ? null : await sessions.findAny(share.sessionId);
    if (session === null) throw noShare();
    return session;
  }

  /** A page of what is displayed, ending before `beforeSeq` or with the newest message. */
  async function readPage(session: StoredSession, beforeSeq: number | null): Promise<SharedPage> {
    const hide = createHiding([session.id, session.userId]);
    const rows = await messages.readDisplayed(session.id, beforeSeq, PAGE_SIZE + 1);
    const shown = rows.slice(0, PAGE_SIZE).reverse();
    return {
      messages: shown.flatMap((message) => presentMessage(message, hide) ?? []),
      nextBeforeSeq: rows.length > PAGE_SIZE ? (shown[0]?.sequenceNumber ?? null) : null,
    };
  }

  return {
    /** What in the session looks like a secret, and whether it is shared already. */
    async check(person: Person, sessionId: string): Promise<SharesCheck> {
      const session = check(person, await sessions.findAny(sessionId));
      const hide = createHiding([session.id, session.userId]);
      const [share, result] = await Promise.all([
        store.find(sessionId),
        checkForSecrets({
          name: session.name,
          readBefore: async (beforeSeq, limit) => messages.readDisplayed(sessionId, beforeSeq, limit),
          present: (message) => presentMessage(message, hide),
          async readArtifact(fileId) {
            const opened = await dependencies.openFile(sessionId, fileId);
            return opened === null ? null : readArtifact(opened);
          },
          now: () => clock.now().getTime(),
        }),
      ]);
      return { ...result, isShared: share !== null };
    },

    /** The session's link; the same one each time. Throws conflict for a pending session and for a subagent's. */
    async issue(person: Person, sessionId: string, origin: string): Promise<Share> {
      const share = await unitOfWork.run(async (tx) => {
        const session = check(person, await sessions.lockAny(tx, sessionId));
        if (session.displayMessageCount === 0) {
          throw new AppError('conflict', 'Nothing was said in this chat yet, so there is nothing to share.');
        }
        return store.insertOrFind(tx, sessionId, newToken());
      });
      return { token: share.token, url: shareUrl(origin, share.token) };
    },

    /** What a person shares, newest share first; for an admin the sessions that are nobody's as well (product §13). */
    async list(person: Person, origin: string): Promise<{ items: SharedSession[] }> {
      const rows = await store.list(person.isAdmin ? [person.userId, null] : [person.userId], MAX_LISTED);
      return {
        items: rows.map(({ sessionId, token, createdAt, session }) => ({
          sessionId,
          token,
          url: shareUrl(origin, token),
          name: session.name,
          preview: session.preview,
          opening: session.opening,
          displayMessageCount: session.displayMessageCount,
          lastActive: session.lastActive.toISOString(),
          sharedAt: createdAt.toISOString(),
        })),
      };
    },

    // What the holder of a token may do. No person is asked for: the token is all there is.

    /** The session's title and the newest page of what is displayed. */
    async view(token: string): Promise<ShareView> {
      const session = await resolve(token);
      return {
        name: session.name,
        profileName: profiles.of(session.profileId).name,
        createdAt: session.createdAt,
        lastActive: session.lastActive,
        page: await readPage(session, null),
      };
    },

    /** The page before a message. */
    async messages(token: string, beforeSeq: number): Promise<SharedPage> {
      return readPage(await resolve(token), beforeSeq);
    },

    /** An image or a published artifact that the shared transcript shows now. Throws not-found for any other file. */
    async file(token: string, fileId: string, { asThumbnail = false } = {}): Promise<OpenedFile> {
      const session = await resolve(token);
      if (!FILE_ID.test(fileId)) throw noShare();
      const hide = createHiding([]);
      const naming = await messages.readNamingFile(session.id, fileId);
      const isShown = naming.some((message) => {
        const shown = presentMessage(message, hide);
        return shown !== null && filesShownBy(shown).includes(fileId);
      });
      const open = asThumbnail ? dependencies.openThumbnail : dependencies.openFile;
      const file = isShown ? await open(session.id, fileId) : null;
      if (file === null) throw noShare();
      return file;
    },
  };
}

export type ShareService = ReturnType<typeof createShareService>;
