/** Entry of the model process. Streams tokens that carry the moment they were written, at a steady rate. */
import {
  type RecordedRequest,
  type Reply,
  type Step,
  startOllamaServer,
  startOpenAiServer,
  text,
  wait,
} from '../../e2e/fixtures/model-servers';
import { monotonicMs } from '../../server/testing/wire-client';
import { proseText, type StreamOrder, tokenText } from './model-process';

/** Milliseconds before the first token, as a real model reads its prompt first. */
const FIRST_TOKEN_AFTER_MS = 50;

async function* stream({ tokens, tokensPerSecond, isProse = false }: StreamOrder): AsyncGenerator<Step> {
  yield wait(FIRST_TOKEN_AFTER_MS);
  const startedAtMs = monotonicMs();
  for (let index = 0; index < tokens; index++) {
    const restMs = startedAtMs + (index * 1000) / tokensPerSecond - monotonicMs();
    if (restMs > 0) yield wait(restMs);
    yield text(isProse ? proseText(index) : tokenText({ index, sentAtMs: monotonicMs() }));
  }
}

function reply(request: RecordedRequest): Reply {
  const order = /^stream (\{.*\})/.exec(request.lastUserText)?.[1];
  // Anything else is the question for a name.
  return order === undefined ? 'A bench session' : stream(JSON.parse(order) as StreamOrder);
}

const openAi = await startOpenAiServer(reply);
const ollama = await startOllamaServer(reply);
process.send?.({ openAiBaseUrl: openAi.baseUrl, ollamaBaseUrl: ollama.baseUrl });
process.on('disconnect', () => process.exit(0));
