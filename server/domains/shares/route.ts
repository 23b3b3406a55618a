/**
 * The ways of a share's page beside tRPC. POSTs, so that the token is in no request line, and no element of a page can ask
 * for them by an address alone.
 * - `POST /api/shared/view` `{token}`: what `shares.view` answers, and its first screen drawn: `{view, html}`.
 * - `POST /api/shared/files` `{token, fileId}`: the bytes of an image or a published artifact that a shared transcript shows.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type * as z from 'zod';
import { AppError, isAppError } from '../../lib/errors';
import { httpStatusOf } from '../../lib/http-status';
import { downloadHeaders } from '../files/engine/download-headers';
import { type ShareView, sharedFileInput, shareViewInput, shareViewSchema } from './schema';
import type { OpenedFile } from './service';

export interface ShareRoutes {
  /** Throws not-found for everything that is no live share. */
  view(token: string): Promise<ShareView>;
  /** The first screen as HTML; '' where it is left to the page. */
  draw(view: ShareView): string;
  /** Throws not-found for everything that the share does not show. */
  file(token: string, fileId: string, options: { asThumbnail: boolean }): Promise<OpenedFile>;
}

export function registerShareRoutes(http: FastifyInstance, { view, draw, file: open }: ShareRoutes): void {
  function post<Input extends z.ZodType>(
    path: string,
    schema: Input,
    answer: (input: z.output<Input>, reply: FastifyReply) => Promise<unknown>,
  ): void {
    http.post(path, async (request, reply) => {
      reply.header('cache-control', 'private, no-store');
      try {
        const input = schema.safeParse(request.body);
        if (!input.success) throw new AppError('invalid-input', `${path} was asked for with a body it does not know`);
        return await answer(input.data, reply);
      } catch (error) {
        if (!isAppError(error)) throw error;
        return reply.code(httpStatusOf(error.code)).send({ error: { code: error.code, message: error.message } });
      }
    });
  }

  post('/api/shared/view', shareViewInput, async ({ token }) => {
    // As with tRPC: what the schema does not name is an error, and does not leave.
    const shown = shareViewSchema.parse(await view(token));
    return { view: shown, html: draw(shown) };
  });
  post('/api/shared/files', sharedFileInput, async ({ token, fileId, asThumbnail }, reply) => {
    const { file, handle } = await open(token, fileId, { asThumbnail: asThumbnail === true });
    // By its own address it is a download without rights; the page of the share takes the bytes and shows them.
    reply.headers(downloadHeaders(file, { isDownload: true })).header('content-length', file.sizeBytes);
    return reply.send(handle.createReadStream());
  });
}
