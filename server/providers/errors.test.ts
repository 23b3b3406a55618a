import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { AppError } from '../lib/errors';
import { redact } from './error-facts';
import { classifyModelFailure } from './errors';

const model = { name: 'gpt-x', kind: 'openai' as const };

const apiError = (status: number, body: string, headers: Record<string, string> = {}) =>
  new APICallError({
    message: 'failed',
    url: 'https://models.example/v1/chat/completions',
    requestBodyValues: {},
    statusCode: status,
    responseBody: body,
    responseHeaders: headers,
  });

describe('what a failure means', () => {
  it.each([
    [400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens."],
    [400, '{"error":{"code":"context_length_exceeded"}}'],
    [400, 'the request exceeds the available context size, try increasing it'],
    [
      400,
      '{"error":{"type":"exceed_context_size_error","message":"request (9000 tokens) exceeds the available context size (4096 tokens)"}}',
    ],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [400, 'Please reduce the length of the messages or completion.'],
    [
      400,
      'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    ],
    [400, 'Input is too long for requested model: input is too long'],
    [413, 'Request too large'],
  ])('sees in status %i %j that the context overflowed', (status, body) => {
    expect(classifyModelFailure(apiError(status, body), model)).toMatchObject({
      error: { code: 'context-overflow' },
      isTransient: false,
    });
  });

  it.each([
    [429, 'slow down', 'rate-limited', true],
    [429, 'too many tokens per minute, please reduce the length of the messages', 'rate-limited', true],
    [429, '{"error":{"code":"insufficient_quota"}}', 'rate-limited', false],
    [402, 'pay', 'rate-limited', false],
    [401, '', 'provider-unavailable', false],
    [403, '', 'provider-unavailable', false],
    [404, 'The model `gpt-x` does not exist', 'not-found', false],
    [404, 'page not found', 'provider-unavailable', false],
    [400, '{"error":{"code":"content_filter"}}', 'forbidden', false],
    [400, 'temperature must be a number', 'invalid-input', false],
    [500, '', 'provider-unavailable', true],
    [529, '{"type":"overloaded_error"}', 'provider-unavailable', true],
    [500, 'model requires more system memory (8.4 GiB) than is available', 'provider-unavailable', false],
    [501, '', 'provider-unavailable', false],
  ])('reads status %i %j as %s, transient: %s', (status, body, code, isTransient) => {
    expect(classifyModelFailure(apiError(status, body), model)).toMatchObject({ error: { code }, isTransient });
  });

  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('reads %j as a wait of %s ms', (headers, retryAfterMs) => {
    expect(classifyModelFailure(apiError(429, '', headers as Record<string, string>), model).retryAfterMs).toBe(
      retryAfterMs,
    );
  });

  it.each([
    [{ error: { message: 'Overloaded', type: 'overloaded_error' } }, true],
    [{ message: 'Rate limit reached', code: 'rate_limit_exceeded' }, true],
    [{ message: 'upstream said 503', code: 503 }, true],
    ['model runner has unexpectedly stopped', false],
    [undefined, false],
    [null, false],
    [42, false],
  ])('classifies %j, whatever was thrown, transient: %s', (thrown, isTransient) => {
    const failure = classifyModelFailure(thrown, model);
    expect(failure.isTransient).toBe(isTransient);
    expect(failure.error.message).toMatch(/^[A-Z].*\.$/);
  });

  it('passes the words of our own errors on', () => {
    const failure = classifyModelFailure(new AppError('invalid-input', 'Images must be files.'), model);
    expect(failure.error).toMatchObject({ code: 'invalid-input', message: 'Images must be files.' });
  });

  it('names the connection and its address', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = new APICallError({
      message: 'x',
      url: 'http://127.0.0.1:11434/api/chat',
      requestBodyValues: {},
      cause: refused,
    });
    expect(classifyModelFailure(error, { name: 'qwen3', kind: 'ollama' })).toMatchObject({
      error: { message: 'Ollama at http://127.0.0.1:11434 cannot be reached. Is it running?' },
      isTransient: true,
    });
  });

  it.each([
    ['ECONNRESET', 'The connection to The model endpoint at https://models.example broke.', true],
    ['ENOTFOUND', 'cannot be found', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'certificate', false],
    ['HPE_INVALID_CONSTANT', 'does not speak HTTP', false],
  ])('reads the network code %s', (code, sentence, isTransient) => {
    const cause = Object.assign(new Error('low-level words'), { code });
    const error = new APICallError({ message: 'x', url: 'https://models.example/v1', requestBodyValues: {}, cause });
    const failure = classifyModelFailure(error, model);
    expect(failure.error.message).toContain(sentence);
    expect(failure.isTransient).toBe(isTransient);
  });

  it('survives a cycle of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(classifyModelFailure(error, model).error.details).toBe('round');
  });

  it.each([
    ['key sk-proj-abcdef123456 refused', 'key [key] refused'],
    ['Authorization: Bearer abcdef.123456', 'Authorization: Bearer [key]'],
    ['{"api_key": "abcd1234"}', '{"api_key": "[key]"}'],
    ['http://me:secret@host/v1', 'http://[key]@host/v1'],
    ['the exact-secret itself', 'the [key] itself'],
  ])('strikes the key out of %j', (given, expected) => {
    expect(redact(given, ['exact-secret'])).toBe(expected);
  });
});
