/** Reads the facts out of a thrown value of unknown shape: status, text, address, network code, `Retry-After`. */
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';

export interface FailureFacts {
  status: number | null;
  /** Everything that was said, for patterns and for the folded details. */
  text: string;
  /** Scheme, host and port that were called; null when unknown. */
  origin: string | null;
  networkCode: string | null;
  retryAfterMs: number | null;
  /** The answer came but was not in the expected form. */
  isUnreadable: boolean;
}

/** Longest text of a provider that is kept, in characters. */
const DETAILS_LIMIT_CHARS = 2000;
/** Of the system, of undici, of TLS, and of the HTTP parser. */
const NETWORK_CODE = /^(E[A-Z_]+|UND_ERR_\w+|HPE_\w+|\w*(CERT|TLS|SSL)\w*)$/;
/** A chain of causes longer than this is cyclic or of no use. */
const MAX_CAUSES = 8;

/** Collects what is known about a failure. Never throws. */
export function facts(thrown: unknown): FailureFacts {
  const found: FailureFacts = {
    status: null,
    text: '',
    origin: null,
    networkCode: null,
    retryAfterMs: null,
    isUnreadable: false,
  };
  const texts: string[] = [];
  let current: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && current !== null && current !== undefined; depth++) {
    readOne(current, found, texts);
    current = current instanceof Error ? current.cause : undefined;
  }
  found.text = texts.filter((text, index) => text !== '' && texts.indexOf(text) === index).join('\n');
  return found;
}

function readOne(value: unknown, found: FailureFacts, texts: string[]): void {
  if (typeof value === 'string') {
    texts.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (!(value instanceof Error)) {
    readErrorObject(value as Record<string, unknown>, found, texts);
    return;
  }
  if (APICallError.isInstance(value)) {
    found.status ??= value.statusCode !== undefined && value.statusCode >= 400 ? value.statusCode : null;
    found.origin ??= originOf(value.url);
    found.retryAfterMs ??= retryAfterOf(value.responseHeaders);
    texts.push(value.message, value.responseBody ?? '');
    return;
  }
  if (JSONParseError.isInstance(value)) {
    found.isUnreadable = true;
    texts.push(value.text);
    return;
  }
  if (TypeValidationError.isInstance(value)) {
    found.isUnreadable = true;
    texts.push(JSON.stringify(value.value) ?? '');
    return;
  }
  if (InvalidResponseDataError.isInstance(value)) found.isUnreadable = true;
  const code = (value as Error & { code?: unknown }).code;
  if (typeof code === 'string' && NETWORK_CODE.test(code)) found.networkCode ??= code;
  // undici says only "terminated" when a body breaks; its cause, when there is one, carries the code.
  if (value instanceof TypeError && value.message === 'terminated') found.networkCode ??= 'UND_ERR_SOCKET';
  texts.push(value.message);
}

/** The `error` object of an event inside a stream: OpenAI's `{message, type, code}` and its relatives. */
function readErrorObject(value: Record<string, unknown>, found: FailureFacts, texts: string[]): void {
  const inner = typeof value.error === 'object' && value.error !== null ? (value.error as typeof value) : value;
  for (const key of ['message', 'type', 'code', 'error', 'detail'] as const) {
    const entry = inner[key];
    if (typeof entry === 'string') texts.push(entry);
    if (typeof entry === 'number' && entry >= 400 && entry < 600) found.status ??= entry;
  }
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

/** `Retry-After` in seconds or as a date, `retry-after-ms` as some vendors send it. */
function retryAfterOf(headers: Record<string, string> | undefined): number | null {
  if (headers === undefined) return null;
  const milliseconds = Number(headers['retry-after-ms']);
  if (Number.isFinite(milliseconds) && milliseconds >= 0 && headers['retry-after-ms'] !== undefined)
    return milliseconds;
  const given = headers['retry-after'];
  if (given === undefined) return null;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const sentAt = Date.parse(headers.date ?? '');
  const until = Date.parse(given);
  return Number.isNaN(until) || Number.isNaN(sentAt) ? null : Math.max(0, until - sentAt);
}

/** The provider's words for the folded part of a card: keys struck out, 2,000 characters at most; null when none. */
export function detailsOf(found: FailureFacts, secrets: readonly string[]): string | null {
  const text = redact(found.text.trim(), secrets);
  if (text === '') return null;
  return text.length > DETAILS_LIMIT_CHARS ? `${text.slice(0, DETAILS_LIMIT_CHARS - 1)}…` : text;
}

/** Strikes out the given secrets and whatever looks like a key, a bearer token or a password in an address. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) if (secret !== '') result = result.replaceAll(secret, '[key]');
  return result
    .replace(/\b(sk|pk|rk|gsk|xai|key)[-_][A-Za-z0-9_*-]{6,}/g, '[key]')
    .replace(/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, '$1 [key]')
    .replace(/\b(api[_-]?key|access[_-]?token|password)(["']?\s*[:=]\s*["']?)[^\s"',&]{4,}/gi, '$1$2[key]')
    .replace(/(https?:\/\/)[^/\s:@]+:[^/\s@]+@/gi, '$1[key]@');
}
