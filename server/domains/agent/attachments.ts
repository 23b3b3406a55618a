/**
 * Files and images of messages on their way to a model: which images it is sent is decided once per message and written
 * there; their bytes and the notices about them are put together afresh for every call.
 */
import type { UnitOfWork } from '../../database/transaction';
import type { EventLog } from '../../events/log';
import { isAppError } from '../../lib/errors';
import type { ResolvedModel } from '../../providers/types';
import type { ContextMeterService, MeterSubject } from '../compression/meter';
import type { FileService } from '../files/service';
import type { StoredFile } from '../files/store';
import type { ImageVariants } from '../files/variants';
import type { Attachment, Message, MessageMetadata } from '../messages/schema';
import type { MessageService } from '../messages/service';
import { admitImages } from './engine/admit-images';
import { attachmentNotice } from './engine/attachment-notice';
import type { PromptAttachments } from './engine/build-prompt';
import { CROWD, MAX_SIDE, MAX_SIDE_IN_CROWD } from './read-images';
import type { Run } from './run';

export interface AttachmentsDependencies {
  files: Pick<FileService, 'findMany'>;
  images: Pick<ImageVariants, 'readForModel'>;
  meter: Pick<ContextMeterService, 'read'>;
  /** Price of an image, in tokens. */
  imageTokens(image: Attachment): number;
  messages: Pick<MessageService, 'annotate' | 'readContext'>;
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

export function createAttachments(dependencies: AttachmentsDependencies) {
  const { files, images, meter, imageTokens, messages, unitOfWork, events, onUnreadable } = dependencies;

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

  /** Decides for one message; what was decided before in the same call is in `contextTokens`. */
  async function decide(
    message: Message,
    found: ReadonlyMap<string, StoredFile>,
    { model, ...room }: { model: ResolvedModel } & Parameters<typeof admitImages>[1],
  ): Promise<{ metadata: MessageMetadata; tokens: number }> {
    const all = message.images ?? [];
    if (model.seesImages() === false) {
      const imagesWithheld = all.map(({ id }) => ({ id, reason: 'no-vision' as const }));
      return { metadata: { imagesSent: [], imagesWithheld }, tokens: 0 };
    }
    const imagesWithheld: NonNullable<MessageMetadata['imagesWithheld']> = [];
    const readable: { id: string; tokens: number }[] = [];
    for (const image of all) {
      const bytes = await read(found.get(image.id), model, MAX_SIDE);
      if ('problem' in bytes) imagesWithheld.push({ id: image.id, reason: 'unreadable', detail: bytes.problem });
      else readable.push({ id: image.id, tokens: imageTokens(image) });
    }
    const { admitted, leftOut } = admitImages(readable, room);
    imagesWithheld.push(...leftOut.map((id) => ({ id, reason: 'no-room' as const })));
    const taken = new Set(admitted);
    const tokens = readable.reduce((sum, image) => sum + (taken.has(image.id) ? image.tokens : 0), 0);
    return { metadata: { imagesSent: admitted, imagesWithheld }, tokens };
  }

  return {
    /**
     * Decides which images of `context` the model is sent, where that is open, and writes it on their messages. Answers the
     * context with what was decided.
     */
    async admit(run: Run, subject: MeterSubject, context: readonly Message[]): Promise<readonly Message[]> {
      const open = undecided(context, run.model);
      if (open.length === 0) return context;
      const decided = new Map<number, MessageMetadata>();
      const found = await findFiles(run.sessionId, open);
      const { estimate, triggerTokens } = await meter.read(subject, context);
      let contextTokens = estimate.tokens;
      for (const message of open) {
        const decision = await decide(message, found, {
          model: run.model,
          windowTokens: run.windowTokens,
          triggerTokens,
          contextTokens,
        });
        contextTokens += decision.tokens;
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
      const sentIds = new Set(canSeeImages ? context.flatMap(({ metadata }) => metadata.imagesSent ?? []) : []);
      const maxSide = sentIds.size > CROWD ? MAX_SIDE_IN_CROWD : MAX_SIDE;
      const attachments: PromptAttachments = new Map();
      for (const message of context) {
        const notice = attachmentNotice(message, { sessionId, existing, canSeeImages });
        if (notice === null) continue;
        const shown = { notice, images: [] as { mediaType: string; data: Uint8Array }[] };
        for (const image of withBytes ? (message.images ?? []) : []) {
          if (!sentIds.has(image.id)) continue;
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
