/**
 * Files and images of messages on their way to a model: which images it is sent is decided and written on their messages,
 * and stays so while the prompt goes on; bytes and notices are put together afresh for every call.
 */
import { isDeepStrictEqual } from 'node:util';
import type { UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import { isAppError } from '../../lib/errors';
import type { ResolvedModel } from '../../providers/types';
import { admitImages, type ImageRoom, type PricedImage } from '../compression/engine/admit-images';
import { sentImages } from '../compression/engine/message-price';
import type { ContextReading } from '../compression/meter';
import type { FileService } from '../files/service';
import type { StoredFile } from '../files/store';
import type { ImageVariants } from '../files/variants';
import type { Attachment, Message, MessageMetadata } from '../messages/schema';
import type { MessageService } from '../messages/service';
import { attachmentNotice } from './engine/attachment-notice';
import type { PromptAttachments } from './engine/build-prompt';
import { CROWD, MAX_SIDE, MAX_SIDE_IN_CROWD } from './read-images';
import type { Run } from './run';

export interface AttachmentsDependencies {
  files: Pick<FileService, 'findMany'>;
  images: Pick<ImageVariants, 'readForModel'>;
  /** Price of an image, in tokens. */
  imageTokens(image: Attachment): number;
  messages: Pick<MessageService, 'annotate'>;
  unitOfWork: UnitOfWork;
  events: EventLog;
  /** An image that could not be read costs its place and nothing else; the operator should know why, and no names. */
  onUnreadable(problem: { sessionId: string; fileId: string; error: unknown }): void;
}

/** Messages whose images need a decision: none yet, one for a model that saw nothing, or one for a model that sees, unlike this. */
function undecided(context: readonly Message[], model: ResolvedModel): Message[] {
  const isBlind = model.seesImages() === false;
  return context.filter(({ images, metadata }) => {
    if (images === null || images.length === 0) return false;
    if (metadata.imagesSent === undefined) return true;
    if (isBlind) return metadata.imagesSent.length > 0;
    return metadata.imagesWithheld?.some(({ reason }) => reason === 'no-vision') === true;
  });
}

/**
 * Messages with images that there was no room for. That was true of one prompt: after a compression or for another model's
 * window there may be some. While the prompt goes on nothing of its beginning changes, so that servers keep what they read.
 */
function withoutRoom(reading: ContextReading, model: ResolvedModel): Message[] {
  if (reading.estimate.isContinued || model.seesImages() === false) return [];
  return reading.context.filter(({ metadata }) => metadata.imagesWithheld?.some(({ reason }) => reason === 'no-room'));
}

const NOTHING: ReadonlySet<string> = new Set();

/** Whether a decision says what stands on the message already: then nobody is told of it again. */
function isSame(before: MessageMetadata, after: Pick<MessageMetadata, 'imagesSent' | 'imagesWithheld'>): boolean {
  return (
    before.imagesSent?.length === after.imagesSent?.length &&
    isDeepStrictEqual(before.imagesWithheld, after.imagesWithheld)
  );
}

export function createAttachments(dependencies: AttachmentsDependencies) {
  const { files, images, imageTokens, messages, unitOfWork, events, onUnreadable } = dependencies;

  const idsOf = (context: readonly Message[]) =>
    context.flatMap((message) => [...(message.files ?? []), ...(message.images ?? [])].map(({ id }) => id));

  async function findFiles(sessionId: string, context: readonly Message[]): Promise<Map<string, StoredFile>> {
    const ids = [...new Set(idsOf(context))];
    return new Map((await files.findMany(sessionId, ids)).map((file) => [file.id, file]));
  }

  /** The bytes, or why there are none. */
  async function read(file: StoredFile | undefined, model: ResolvedModel, maxSide: number) {
    if (file === undefined) return { problem: 'its file is gone' };
    try {
      return await images.readForModel(file, { types: model.imageTypes, maxSide });
    } catch (error) {
      onUnreadable({ sessionId: file.sessionId, fileId: file.id, error });
      return { problem: isAppError(error) ? error.message : 'its bytes cannot be read' };
    }
  }

  /**
   * Decides for one message. What of it is sent already stays so; that and what was decided on before in the same call is in
   * `contextTokens`. `shown` stands in another message meanwhile (`image_view`), and once is enough.
   */
  async function decide(
    message: Message,
    found: ReadonlyMap<string, StoredFile>,
    { model, shown, ...room }: { model: ResolvedModel; shown: ReadonlySet<string> } & ImageRoom,
  ): Promise<{ metadata: Pick<MessageMetadata, 'imagesSent' | 'imagesWithheld'>; tokens: number }> {
    const all = message.images ?? [];
    if (model.seesImages() === false) {
      const imagesWithheld = all.map(({ id }) => ({ id, reason: 'no-vision' as const }));
      return { metadata: { imagesSent: [], imagesWithheld }, tokens: 0 };
    }
    const sent = new Set(sentImages(message).map(({ id }) => id));
    const imagesWithheld: NonNullable<MessageMetadata['imagesWithheld']> = [];
    const readable: PricedImage[] = [];
    for (const image of all.filter(({ id }) => !sent.has(id))) {
      if (shown.has(image.id)) {
        imagesWithheld.push({ id: image.id, reason: 'no-room' });
        continue;
      }
      const bytes = await read(found.get(image.id), model, MAX_SIDE);
      if ('problem' in bytes) imagesWithheld.push({ id: image.id, reason: 'unreadable', detail: bytes.problem });
      else readable.push({ id: image.id, tokens: imageTokens(image) });
    }
    const { admitted, leftOut, tokens } = admitImages(readable, room);
    imagesWithheld.push(...leftOut.map((id) => ({ id, reason: 'no-room' as const })));
    return { metadata: { imagesSent: [...sent, ...admitted], imagesWithheld }, tokens };
  }

  return {
    /** Images of `context` that `admit` is going to decide on for the first time. None for a model that sees nothing. */
    async waiting(run: Run, context: readonly Message[]): Promise<Attachment[]> {
      if (run.model.seesImages() === false) return [];
      const open = undecided(context, run.model);
      if (open.length === 0) return [];
      const found = await findFiles(run.sessionId, open);
      return open.flatMap(({ images }) => (images ?? []).filter(({ id }) => found.has(id)));
    },

    /**
     * Decides which images of a context the model is sent, where that is open or there was no room before this prompt began,
     * and writes it on their messages. Answers the context with what was decided; the same one when nothing was.
     */
    async admit(run: Run, reading: ContextReading): Promise<readonly Message[]> {
      const { context, estimate, triggerTokens } = reading;
      // What was asked for now comes before what was left out once.
      const asked = new Set(undecided(context, run.model));
      const open = [...new Set([...asked, ...withoutRoom(reading, run.model)])];
      if (open.length === 0) return context;
      const decided = new Map<number, MessageMetadata>();
      const found = await findFiles(run.sessionId, open);
      const shown = new Set(context.flatMap(sentImages).map(({ id }) => id));
      let contextTokens = estimate.tokens;
      for (const message of open) {
        const decision = await decide(message, found, {
          model: run.model,
          shown: asked.has(message) ? NOTHING : shown,
          windowTokens: run.windowTokens,
          triggerTokens,
          contextTokens,
        });
        if (isSame(message.metadata, decision.metadata)) continue;
        contextTokens += decision.tokens;
        for (const id of decision.metadata.imagesSent ?? []) shown.add(id);
        await unitOfWork.run(async (tx) => {
          const { sequenceNumber } = message;
          const annotated = await messages.annotate(tx, run.sessionId, sequenceNumber, { metadata: decision.metadata });
          if (annotated === null) return;
          decided.set(sequenceNumber, annotated.metadata);
          const changes = { metadata: annotated.metadata };
          await events.append(
            tx,
            run.sessionId,
            [{ kind: 'message-updated', sequenceNumbers: [sequenceNumber], changes }],
            run.epoch,
          );
        });
      }
      if (decided.size === 0) return context;
      return context.map((message) => ({
        ...message,
        metadata: decided.get(message.sequenceNumber) ?? message.metadata,
      }));
    },

    /** Notices and images of a context, by message. `withBytes` false leaves the images away: for looking at the prompt. */
    async forPrompt(
      sessionId: string,
      model: ResolvedModel,
      context: readonly Message[],
      { withBytes }: { withBytes: boolean },
    ): Promise<PromptAttachments> {
      const found = await findFiles(sessionId, context);
      const canSeeImages = model.seesImages() !== false;
      const existing = new Set(found.keys());
      const sentOf = (message: Message) => (canSeeImages ? sentImages(message) : []);
      const maxSide = context.flatMap(sentOf).length > CROWD ? MAX_SIDE_IN_CROWD : MAX_SIDE;
      const attachments: PromptAttachments = new Map();
      for (const message of context) {
        const notice = attachmentNotice(message, { sessionId, existing, canSeeImages });
        if (notice === null) continue;
        const shown = { notice, images: [] as { mediaType: string; data: Uint8Array }[] };
        for (const image of withBytes ? sentOf(message) : []) {
          const bytes = await read(found.get(image.id), model, maxSide);
          if (!('problem' in bytes)) shown.images.push(bytes);
        }
        attachments.set(message.sequenceNumber, shown);
      }
      return attachments;
    },
  };
}

export type Attachments = ReturnType<typeof createAttachments>;
