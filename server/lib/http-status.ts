/** The one table from our codes to statuses of plain HTTP. */
import type { AppErrorCode } from './errors';

const statuses = {
  'invalid-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  busy: 503,
  'too-large': 413,
  'rate-limited': 429,
  'provider-unavailable': 502,
  'context-overflow': 422,
  cancelled: 499,
  internal: 500,
} as const satisfies Record<AppErrorCode, number>;

export const httpStatusOf = (code: AppErrorCode): number => statuses[code];
