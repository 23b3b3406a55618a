/** The one table from our codes to tRPC's, and the shape of errors on the wire. */
import { TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { AppError, type AppErrorCode } from '../lib/errors';

const trpcCodeOf = {
  'invalid-input': 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  busy: 'CONFLICT',
  'too-large': 'PAYLOAD_TOO_LARGE',
  'rate-limited': 'TOO_MANY_REQUESTS',
  'provider-unavailable': 'SERVICE_UNAVAILABLE',
  'context-overflow': 'UNPROCESSABLE_CONTENT',
  cancelled: 'CLIENT_CLOSED_REQUEST',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<AppErrorCode, TRPCError['code']>;

export function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({ code: trpcCodeOf[error.code], message: error.message, cause: error });
}

/** What a client of tRPC reads of a failure that came before tRPC was reached, e.g. a body that is too large. */
export function toErrorBody(error: AppError, httpStatus: number) {
  const code = trpcCodeOf[error.code];
  return {
    error: {
      message: error.message,
      code: TRPC_ERROR_CODES_BY_KEY[code],
      data: { code, httpStatus, path: null, appCode: error.code, details: error.details ?? null, fields: null },
    },
  };
}

/** The closed code that a client reads in `data.appCode`. tRPC's own failures (unknown path, bad input) map back to ours. */
export function appCodeOf(error: TRPCError): AppErrorCode {
  if (error.cause instanceof AppError) return error.cause.code;
  switch (error.code) {
    case 'BAD_REQUEST':
    case 'PARSE_ERROR':
    case 'METHOD_NOT_SUPPORTED':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'invalid-input';
    case 'NOT_FOUND':
      return 'not-found';
    case 'PAYLOAD_TOO_LARGE':
      return 'too-large';
    case 'CLIENT_CLOSED_REQUEST':
      return 'cancelled';
    case 'SERVICE_UNAVAILABLE':
      return 'busy';
    default:
      return 'internal';
  }
}
