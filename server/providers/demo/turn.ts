/** What a scenario of the demo sees of a call, and what it can do. Pure. */
import { createHash } from 'node:crypto';
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { ModelCallError } from '../types';

export type DemoPart =
  | { kind: 'say'; text: string }
  | { kind: 'think'; text: string }
  | { kind: 'call'; tool: string; arguments: Record<string, unknown> }
  | { kind: 'fail'; error: ModelCallError };

export interface DemoResult {
  tool: string;
  text: string;
  isError: boolean;
}

export interface DemoTurn {
  /** The last words of the person. */
  userText: string;
  systemText: string;
  /** What the person attached to the last words: paths of files as the tools take them, and how many images came along. */
  attachments: { files: string[]; images: number };
  /** Notices at the end of the prompt: reminders, the instruction of a planning phase. */
  noticeText: string;
  /** Results of the tools that this turn already called, oldest first. */
  results: DemoResult[];
  /** How many turns the context holds, this one included. */
  turnCount: number;
  /** Only these may be called. */
  hasTool(name: string): boolean;
  hasTools: boolean;
}

export interface Scenario {
  name: string;
  /** True when this scenario answers the turn; the first that says so is taken. */
  matches(turn: DemoTurn): boolean;
  /** The next step of the turn: what is said and called now. The results so far say how far it is. */
  play(turn: DemoTurn): DemoPart[];
}

export const say = (text: string): DemoPart => ({ kind: 'say', text });
export const think = (text: string): DemoPart => ({ kind: 'think', text });
export const call = (tool: string, args: Record<string, unknown> = {}): DemoPart => ({
  kind: 'call',
  tool,
  arguments: args,
});

/** The line that ends every answer of the demo. */
export const DEMO_NOTE =
  "\n\n> I am Navi's built-in **demo model**: scripted, not intelligent. For a real one, start [Ollama](https://ollama.com) on this machine " +
  '(Navi finds it by itself) or set `OPENAI_BASE_URL` and `OPENAI_API_KEY`, then choose it below the message field.';

/** Notices that the context builder adds to user messages (time, reminders) are not the person's words. */
const NOTICE = /<(notice|reminder|context|system-reminder|navi-[a-z-]+)\b[^>]*>[\s\S]*?<\/\1>/g;
/** The same for what is attached; the path behind an arrow is what the file tools take. */
const ATTACHMENTS = /^\[(?:Uploaded files on disk:|\d+ images? attached)[\s\S]*?\]$/gm;

const spokenBy = (message: LanguageModelV3Message): string =>
  message.role === 'user' ? textOf(message).replace(NOTICE, '').replace(ATTACHMENTS, '').trim() : '';

/** Whether it is a message of the person's: words, or nothing but attachments. */
const isSpoken = (message: LanguageModelV3Message): boolean =>
  spokenBy(message) !== '' || (message.role === 'user' && textOf(message).search(ATTACHMENTS) >= 0);

/**
 * Reads the turn out of a call's prompt. Neighbouring user messages count as one, as they are merged where a model demands
 * it; a message that holds nothing but notices in tags (`<notice>…</notice>`) starts no turn.
 */
export function readTurn({ prompt, tools }: LanguageModelV3CallOptions): DemoTurn {
  const offered = new Set((tools ?? []).map((tool) => tool.name));
  const messages = prompt.filter((message) => message.role !== 'user' || isSpoken(message));
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  let firstUser = lastUser;
  while (firstUser > 0 && messages[firstUser - 1]?.role === 'user') firstUser--;
  const system = messages.filter((message) => message.role === 'system');
  return {
    userText: messages
      .slice(Math.max(firstUser, 0), lastUser + 1)
      .map(spokenBy)
      .join('\n'),
    systemText: system.map(textOf).join('\n'),
    attachments: attachmentsOf(messages.slice(Math.max(firstUser, 0), lastUser + 1)),
    noticeText: noticesOf(prompt),
    results: messages.slice(lastUser + 1).flatMap(resultsOf),
    turnCount: messages.filter((message, index) => message.role === 'user' && messages[index - 1]?.role !== 'user')
      .length,
    hasTool: (name) => offered.has(name),
    hasTools: offered.size > 0,
  };
}

function attachmentsOf(messages: readonly LanguageModelV3Message[]): DemoTurn['attachments'] {
  const notices = messages.flatMap((message) => textOf(message).match(ATTACHMENTS) ?? []).join('\n');
  return {
    files: [...notices.matchAll(/^- .* → (session_files\/.+?)\]?$/gm)].map((match) => match[1] ?? ''),
    images: messages.reduce(
      (sum, { content }) => sum + (Array.isArray(content) ? content.filter((part) => part.type === 'file').length : 0),
      0,
    ),
  };
}

/** Of the last user message alone: earlier ones are not built anew. */
function noticesOf(prompt: readonly LanguageModelV3Message[]): string {
  const last = prompt.at(-1);
  return last?.role === 'user' ? [...textOf(last).matchAll(NOTICE)].map((match) => match[0]).join('\n') : '';
}

function resultsOf(message: LanguageModelV3Message): DemoResult[] {
  if (message.role !== 'tool') return [];
  return message.content
    .filter((part) => part.type === 'tool-result')
    .map((part) => ({
      tool: part.toolName,
      text: outputText(part),
      isError: part.output.type.startsWith('error') || part.output.type === 'execution-denied',
    }));
}

function outputText({ output }: LanguageModelV3ToolResultPart): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'execution-denied') return output.reason ?? 'The call was not allowed.';
  return JSON.stringify(output.value);
}

/** All text of a message; results and calls as JSON. */
export function textOf(message: LanguageModelV3Message): string {
  if (typeof message.content === 'string') return message.content;
  return message.content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text;
      if (part.type === 'tool-call') return JSON.stringify(part.input);
      return part.type === 'tool-result' ? outputText(part) : '';
    })
    .join('');
}

/** The demo's own count of tokens: one for each four characters, tools included. */
export function promptTokens({ prompt, tools }: LanguageModelV3CallOptions): number {
  const chars = prompt.reduce((sum, message) => sum + textOf(message).length + 8, 0);
  return Math.ceil((chars + (tools === undefined ? 0 : JSON.stringify(tools).length)) / 4);
}

/** An id for the n-th call of an answer: the same for the same prompt, another for any other. */
export function callId(options: LanguageModelV3CallOptions, index: number): string {
  const text = options.prompt.map((message) => `${message.role}:${textOf(message)}`).join('\n');
  return `demo_${createHash('sha256').update(text).digest('hex').slice(0, 16)}_${index}`;
}

/** A tool's result as a quote for the answer, shortened. */
export function quote(result: DemoResult | undefined, limitChars = 600): string {
  const text = (result?.text ?? '').trim();
  const cut = text.length > limitChars ? `${text.slice(0, limitChars)}\n…` : text;
  const fence = '`'.repeat(Math.max(3, longestRun(cut) + 1));
  return `${fence}text\n${cut === '' ? '(nothing)' : cut}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Said instead when a tool is not offered. */
export function missingTool(name: string): DemoPart[] {
  return [say(`I would call the tool \`${name}\` now, but this profile does not offer it.${DEMO_NOTE}`)];
}
