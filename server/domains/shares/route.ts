/**
 * `POST /api/shared/files` `{token, fileId}`: the bytes of an image or a published artifact that a shared transcript shows.
 * A POST, so that the token is in no request line, and no element of a page can ask for it by its address alone.
 */
import type { FastifyInstance } from 'fastify';
import { AppError, isAppError } from '../../lib/errors';
import { httpStatusOf } from '../../lib/http-status';
import { downloadHeaders } from '../files/engine/download-headers';
import { sharedFileInput } from './schema';
import type { OpenedFile } from './service';

export interface SharedFilesRoute {
  /** Throws not-found for everything that the share does not show. */
  open(token: string, fileId: string, options: { asThumbnail: boolean }): Promise<OpenedFile>;
}

export function registerSharedFiles(http: FastifyInstance, { open }: SharedFilesRoute): void {
  http.post('/api/shared/files', async (request, reply) => {
    reply.header('cache-control', 'private, no-store');
    try {
      const input = sharedFileInput.safeParse(request.body);
      if (!input.success) throw new AppError('invalid-input', 'token and fileId are needed');
      const { file, handle } = await open(input.data.token, input.data.fileId, {
        asThumbnail: input.data.asThumbnail === true,
      });
      // By its own address it is a download without rights; the page of the share takes the bytes and shows them.
      reply.headers(downloadHeaders(file, { isDownload: true })).header('content-length', file.sizeBytes);
      return reply.send(handle.createReadStream());
    } catch (error) {
      if (!isAppError(error)) throw error;
      return reply.code(httpStatusOf(error.code)).send({ error: { code: error.code, message: error.message } });
    }
  });
}
