/**
 * Files over plain HTTP, as tRPC carries no streams: `POST /api/sessions/:id/files` takes uploads, `GET …/files/:name` gives
 * bytes back; with `?id=` those of this very file or none, as a name is free again once its file is removed. Requests of other
 * origins are refused at the door, before they come here.
 */
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, isAppError } from '../../lib/errors';
import { httpStatusOf } from '../../lib/http-status';
import { idSchema } from '../../lib/input-schemas';
import type { Person } from '../../lib/person';
import { downloadHeaders } from './engine/download-headers';
import { answerFile, type FileAnswer } from './file-answer';
import type { UploadAnswer } from './schema';
import type { FileService } from './service';
import type { ImageVariants } from './variants';

export interface FileRoutes {
  /** Throws AppError while the server starts. */
  services(): { files: FileService; images: Pick<ImageVariants, 'openThumbnail'> };
  /** Who asks. Throws `unauthenticated`. */
  personOf(request: FastifyRequest): Promise<Person>;
}

/** A field with the exact name of the file behind it, for clients that have one: forms write two different names alike. */
const NAME_FIELD = 'name';
/** Files of one request; a folder dropped at once comes in several requests. */
const MAX_FILES = 100;
const path = '/api/sessions/:sessionId/files';

export function registerFileRoutes(http: FastifyInstance, { services, personOf }: FileRoutes): void {
  http.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      if (isAppError(error)) return refuse(reply, error);
      if ((error as { code?: unknown }).code === 'FST_FILES_LIMIT') {
        return refuse(reply, new AppError('too-large', `At most ${MAX_FILES} files can be sent at once.`));
      }
      if (isBrokenUpload(error)) {
        return refuse(reply, new AppError('invalid-input', 'This upload broke off or is none. Send it again.'));
      }
      throw error;
    });
    scope.register(multipart, {
      preservePath: true,
      throwFileSizeLimit: false,
      limits: { files: MAX_FILES, fields: 20, fieldSize: 10_000 },
    });

    // PostgreSQL holds no NUL: asked for one, it fails instead of finding nothing.
    scope.addHook<{ Params: Record<string, string> }>('preHandler', async ({ params }) => {
      if (Object.values(params).some((value) => value.includes('\u0000'))) {
        throw new AppError('not-found', 'This file does not exist.');
      }
    });

    scope.post<{ Params: { sessionId: string }; Querystring: { as?: string } }>(path, async (request, reply) => {
      const { files } = services();
      const { sessionId } = request.params;
      const person = await personOf(request);
      await files.authorise(person, sessionId);
      if (!request.isMultipart()) throw new AppError('invalid-input', 'Files are sent as multipart/form-data.');
      const hangUp = new AbortController();
      setMaxListeners(0, hangUp.signal);
      request.raw.once('close', () => {
        if (!request.raw.complete) hangUp.abort(new AppError('cancelled', 'The upload was cancelled.'));
      });
      const answer: UploadAnswer = { files: [], refused: [] };
      let status = 0;
      // One byte more than is allowed: the service sees that it is too much and says so in its own words; the rest is skipped.
      const limits = { fileSize: files.limits().maxSizeBytes + 1 };
      let nameApart: string | null = null;
      for await (const part of request.parts({ limits })) {
        if (part.type !== 'file') {
          if (part.fieldname === NAME_FIELD) nameApart = String(part.value);
          continue;
        }
        const sentName: string = nameApart ?? decodeFormName(part.filename ?? '');
        nameApart = null;
        try {
          answer.files.push(
            await files.upload(person, sessionId, {
              sentName,
              source: withoutDestroying(part.file),
              asImage: request.query.as === 'image',
              signal: hangUp.signal,
            }),
          );
        } catch (error) {
          // Those that were stored before stay; a fault of ours or a hang-up ends the request.
          if (!isAppError(error) || error.code === 'not-found' || hangUp.signal.aborted) throw error;
          answer.refused.push({ name: sentName.slice(-300), code: error.code, message: error.message });
          status = Math.max(status, httpStatusOf(error.code));
          await skip(part.file);
        }
      }
      if (answer.files.length === 0 && answer.refused.length === 0) {
        throw new AppError('invalid-input', 'There was no file in this request.');
      }
      return reply.code(answer.files.length > 0 ? 201 : status).send(answer);
    });

    scope.route<{
      Params: { sessionId: string; name: string };
      Querystring: { id?: unknown; download?: string; thumbnail?: string };
    }>({
      method: ['GET', 'HEAD'],
      url: `${path}/:name`,
      handler: async (request, reply) => {
        const { files, images } = services();
        const { sessionId, name } = request.params;
        const { id } = request.query;
        const person = await personOf(request);
        const file =
          id === undefined
            ? await files.getByName(person, sessionId, name)
            : await files.getById(person, sessionId, readId(id));
        if (request.query.thumbnail !== undefined) {
          const thumbnail = await images.openThumbnail(file);
          if (thumbnail !== null) {
            const shown = { name: `${file.name}.webp`, kind: 'image', mimeType: 'image/webp' } as const;
            const headers = downloadHeaders(shown, { isDownload: false });
            const etag = `"${file.sha256}-thumbnail"`;
            return sendAnswer(reply, await answerFile(request, { handle: thumbnail, etag, headers }));
          }
        }
        const headers = downloadHeaders(file, { isDownload: request.query.download !== undefined });
        const handle = await files.openBytes(file);
        return sendAnswer(reply, await answerFile(request, { handle, etag: `"${file.sha256}"`, headers }));
      },
    });
  });
}

function readId(sent: unknown): string {
  const id = idSchema().safeParse(sent);
  if (!id.success) throw new AppError('not-found', 'This file does not exist.');
  return id.data;
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: FileAnswer): FastifyReply {
  reply.code(status).headers(headers);
  return body === null ? reply.send() : reply.send(body);
}

function refuse(reply: FastifyReply, { code, message, details }: AppError): FastifyReply {
  return reply
    .code(httpStatusOf(code))
    .send({ error: { code, message, ...(details === undefined ? {} : { details }) } });
}

/**
 * The bytes of a part. Where the disk fails, this ends and the part itself stays: destroyed, it would take the parts behind
 * it along, which would be lost without a word.
 */
function withoutDestroying(part: Readable): Readable {
  part.on('error', () => {});
  return Readable.from(chunksOf(part), { objectMode: false });
}

/** A generator of its own around the stream's: an error that is thrown into that one would destroy the stream all the same. */
async function* chunksOf(part: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of part.iterator({ destroyOnReturn: false })) yield chunk;
}

/**
 * Reads and drops what is left of a part, so that the next one can come. Not `resume()`: while the reader before this one
 * has not let go yet, it does nothing.
 */
async function skip(part: Readable): Promise<void> {
  for await (const _chunk of part.iterator({ destroyOnReturn: false }));
}

/** A body that ends too early or was never a form; the parser gives words and no codes. */
function isBrokenUpload(error: unknown): boolean {
  if ((error as { code?: unknown }).code === 'ECONNRESET') return true;
  const words = error instanceof Error ? error.message : '';
  return /^(?:Multipart: |Unexpected end of multipart data|\w+ terminated early due to)/.test(words);
}

/**
 * Browsers write a quotation mark in a file's name as `%22`, and nothing else in it as an escape (WHATWG form data). So a name
 * that holds those three characters itself reads the same; quotation marks are what people have.
 */
function decodeFormName(sent: string): string {
  return sent.replaceAll('%22', '"');
}
