import { APICallError } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { isImageRefusal } from './image-refusal';

/** What an endpoint answered, as the SDK throws it. */
const answered = (statusCode: number, body: unknown) =>
  new APICallError({
    message: 'Bad Request',
    url: 'http://127.0.0.1/v1/chat/completions',
    requestBodyValues: {},
    statusCode,
    responseBody: JSON.stringify(body),
  });
const openAi = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });

it.each<[by: string, status: number, body: unknown]>([
  [
    'OpenAI, in its words',
    400,
    openAi('Invalid content type. image_url is only supported by certain models.', { param: null }),
  ],
  ['OpenAI, in words to come', 400, openAi('Not like this.', { param: 'messages.[0].content.[1].type', code: null })],
  ['a relative that counts without dots', 422, openAi('Not like this.', { param: 'messages[3].content[0].type' })],
  ['vLLM', 400, { object: 'error', message: 'Qwen/Qwen3-8B is not a multimodal model None', code: 400 }],
  ['vLLM with a limit', 400, openAi('At most 0 image(s) may be provided in one request.')],
  [
    'llama.cpp',
    500,
    openAi('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
  ],
  [
    'llama.cpp before',
    500,
    openAi('Failed to parse messages: Unsupported content part type: "image_url"; messages = []'),
  ],
  ['LM Studio', 400, { error: 'Model does not support images. Please use a model that does.' }],
  ['Ollama', 400, { error: 'this model does not support image input (ref: 1)' }],
  [
    'Ollama’s engine',
    500,
    {
      error:
        'Failed to create new sequence: failed to process inputs: this model is missing data required for image input',
    },
  ],
  ['OpenRouter', 404, { error: { message: 'No endpoints found that support image input', code: 404 } }],
  [
    'DeepSeek',
    400,
    openAi('Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text` at line 1'),
  ],
  ['a text-only server', 400, openAi("messages.content.type is invalid, allowed values: ['text']")],
  ['a gateway', 400, openAi('Images are not supported by this model.')],
])('%s refuses images', (_, status, body) => {
  expect(isImageRefusal(answered(status, body))).toBe(true);
});

it.each<[what: string, status: number, body: unknown]>([
  ['a format of one picture', 400, openAi('This model does not support image format HEIC.')],
  ['a media type of one picture', 400, openAi('Unsupported image media type: image/tiff')],
  ['a damaged picture', 400, openAi('You uploaded an unsupported image. Please make sure your image is valid.')],
  ['another field', 400, openAi('Bad value.', { param: 'messages.[0].content.[1].image_url' })],
  ['a model that is missing', 404, openAi('No endpoints found for acme/none.')],
  ['a rate limit', 429, openAi('This model does not support image input at this rate.')],
  ['a wrong key', 401, openAi('Your plan does not support image input.')],
  ['an overload', 503, openAi('image input is not supported at the moment')],
])('%s is no such refusal', (_, status, body) => {
  expect(isImageRefusal(answered(status, body))).toBe(false);
});

it('is found in an event of a stream, which has no status', () => {
  expect(isImageRefusal({ message: 'this model does not support images' })).toBe(true);
});
