/** tRPC itself: plain JSON without a transformer, one procedure builder, errors with `data.appCode`. */
import { initTRPC, TRPCError } from '@trpc/server';
import * as z from 'zod';
import { AppError } from '../lib/errors';
import type { TrpcContext } from './context';
import { appCodeOf, toTrpcError } from './errors';

const t = initTRPC.context<TrpcContext>().create({
  errorFormatter({ shape, error }) {
    const appCode = appCodeOf(error);
    const zodError = error.cause instanceof z.ZodError ? error.cause : null;
    return {
      code: shape.code,
      message: zodError === null ? shape.message : describeInputError(zodError),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path ?? null,
        appCode,
        details: error.cause instanceof AppError ? (error.cause.details ?? null) : null,
        /** Which field is wrong and why, when the input was refused. */
        fields: zodError?.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })) ?? null,
      },
    };
  },
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
});

function describeInputError(error: z.ZodError): string {
  const first = error.issues[0];
  if (first === undefined) return 'The input is not valid.';
  return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`;
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Our error as tRPC's; anything unknown is logged once and tells the person nothing but its id. */
function toPublicError(ctx: TrpcContext, error: unknown): TRPCError {
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof AppError) return toTrpcError(cause);
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return error;
  const requestId = ctx.reportUnexpected(cause ?? error);
  return new TRPCError({
    code: 'INTERNAL_SERVER_ERROR',
    message: `Something went wrong on the server (request ${requestId}).`,
  });
}

export const procedure = t.procedure.use(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toPublicError(ctx, result.error);
});

/** The same for subscriptions, which fail after the procedure has answered: while their events are read. */
export async function* withPublicErrors<T>(
  ctx: TrpcContext,
  events: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    throw toPublicError(ctx, error);
  }
}
