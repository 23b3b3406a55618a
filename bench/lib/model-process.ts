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
  /** Words in paragraphs, as an answer reads, instead of tokens that tell when they were written. */
  isProse?: boolean;
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

const WORDS =
  'the lake is still before noon and every boat that leaves it draws a line of light over **deep** water'.split(' ');
/** Tokens of one paragraph of prose. */
const PARAGRAPH = 120;

/** One token of prose: a short word, now and then the end of a paragraph. */
export const proseText = (index: number): string =>
  `${WORDS[(index * 7) % WORDS.length]}${index % PARAGRAPH === PARAGRAPH - 1 ? '.\n\n' : ' '}`;

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
