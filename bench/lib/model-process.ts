/** The scripted model endpoints in a process of their own, so that neither server nor subscribers pay for them. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ModelProcess {
  /** For `OPENAI_BASE_URL` and `OLLAMA_BASE_URL`. */
  openAiBaseUrl: string;
  ollamaBaseUrl: string;
  close(): void;
}

/** What a run asks of the model, in the text of its message. */
export interface StreamOrder {
  tokens: number;
  tokensPerSecond: number;
}

/** The user message that makes the model stream. */
export const orderText = (order: StreamOrder): string => `stream ${JSON.stringify(order)}`;

export interface Token {
  index: number;
  /** When the model wrote it, by the monotonic clock. */
  sentAtMs: number;
}

/** One token: its number and the moment at which it left, about as long as an English word. */
export const tokenText = (token: Token): string =>
  `${String(token.index).padStart(4, '0')}@${token.sentAtMs.toFixed(2)} `;

/** The tokens in a piece of text; pieces are cut between tokens only. */
export function parseTokens(text: string): Token[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [index, sentAtMs] = word.split('@');
      return { index: Number(index), sentAtMs: Number(sentAtMs) };
    });
}

export async function startModelProcess(): Promise<ModelProcess> {
  const child = fork(fileURLToPath(new URL('./model-process-main.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const urls = await new Promise<Pick<ModelProcess, 'openAiBaseUrl' | 'ollamaBaseUrl'>>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Pick<ModelProcess, 'openAiBaseUrl' | 'ollamaBaseUrl'>));
    child.once('exit', (code) => reject(new Error(`the model process ended with code ${code}`)));
  });
  return { ...urls, close: () => child.disconnect() };
}
