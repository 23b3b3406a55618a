/**
 * `POST /api/remote-images` `{url}`: the bytes of an image that a person clicked. The server fetches it, so that the content
 * policy can keep every other address out of the page: neither a message nor a style can make the browser call somewhere.
 * It is a POST on purpose: an `<img>` in a message could name a GET of ours and would be loaded without a click.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type AppErrorCode, isAppError } from '../../../lib/errors';
import { imageMimeType } from './image-kind';

/** What this route needs of `createGuardedFetch`: the public web only, checked at the connection. */
export interface ImageSource {
  get(
    url: string,
    options: { accept: string; signal: AbortSignal; maxBytes: number },
  ): Promise<{ status: number; body: Buffer; isCut: boolean }>;
}

export interface RemoteImageRoute {
  web: ImageSource;
  /** Throws AppError when this request may not use the server to fetch something; absent while everybody may. */
  authorise?: (request: FastifyRequest) => Promise<void>;
  maxBytes?: number;
  timeoutMs?: number;
}

const bodySchema = z.object({ url: z.url({ protocol: /^https?$/ }).max(8000) });
const MAX_BYTES = 15 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

const statuses: Partial<Record<AppErrorCode, number>> = { unauthenticated: 401, forbidden: 403, 'not-found': 404 };

export function registerRemoteImages(app: FastifyInstance, route: RemoteImageRoute): void {
  const maxBytes = route.maxBytes ?? MAX_BYTES;
  app.post('/api/remote-images', async (request, reply) => {
    const refuse = (status: number, code: AppErrorCode, message: string) =>
      reply.code(status).send({ error: { code, message } });
    const hangUp = new AbortController();
    reply.raw.once('close', () => hangUp.abort());
    try {
      await route.authorise?.(request);
      const body = bodySchema.safeParse(request.body);
      if (!body.success) return refuse(400, 'invalid-input', 'an http or https address is needed');
      const answer = await route.web.get(body.data.url, {
        accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
        signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(route.timeoutMs ?? TIMEOUT_MS)]),
        maxBytes,
      });
      if (answer.status < 200 || answer.status > 299)
        return refuse(502, 'provider-unavailable', `answered ${answer.status}`);
      if (answer.isCut) return refuse(413, 'too-large', 'the image is too large');
      const mimeType = imageMimeType(answer.body);
      if (mimeType === null) return refuse(415, 'invalid-input', 'this is not an image that can be shown');
      return reply
        .header('content-type', mimeType)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'no-store')
        .send(answer.body);
    } catch (error) {
      if (isAppError(error)) return refuse(statuses[error.code] ?? 502, error.code, error.message);
      if (error instanceof Error && error.name === 'TimeoutError') {
        return refuse(504, 'provider-unavailable', 'the image did not come in time');
      }
      throw error;
    }
  });
}
