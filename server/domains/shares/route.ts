/**
 * `POST /api/shared/files` `{token, fileId}`: the bytes of an image or a published artifact that a shared transcript shows.
 * A POST, so that the token is in no request line, and no element of a page can ask for it by its address alone.
 */
import type { FastifyInstance } from 'fastify';
import { AppError, isAppError } from '../../lib/errors';
import { sharedFileInput } from './schema';
import type { OpenedFile } from './service';

export interface SharedFilesRoute {
  /** Throws not-found for everything that the share does not show. */
  open(token: string, fileId: string): Promise<OpenedFile>;
}

export function registerSharedFiles(app: FastifyInstance, { open }: SharedFilesRoute): void {
  app.post('/api/shared/files', async (request, reply) => {
    const input = sharedFileInput.safeParse(request.body);
    reply.header('cache-control', 'private, no-store');
    try {
      if (!input.success) throw new AppError('invalid-input', 'token and fileId are needed');
      const { file, handle } = await open(input.data.token, input.data.fileId);
      return (
        reply
          .header('content-type', file.mimeType)
          .header('content-length', file.sizeBytes)
          // Opened by itself it is a download without rights; our page takes the bytes and shows them.
          .header('content-disposition', 'attachment')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .send(handle.createReadStream())
      );
    } catch (error) {
      if (!isAppError(error)) throw error;
      const status = error.code === 'not-found' ? 404 : error.code === 'busy' ? 503 : 400;
      return reply.code(status).send({ error: { code: error.code, message: error.message } });
    }
  });
}
