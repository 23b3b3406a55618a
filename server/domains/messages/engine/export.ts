import type { Session } from '../../sessions/schema';
import type { PlanStep, StepStatus, TodoSnapshot } from '../../todos/schema';
import type { Message } from '../schema';

const titles: Record<Message['role'], string> = { user: 'You', assistant: 'Assistant', tool: 'Tool', system: 'Note' };

/** A fence longer than any run of backticks inside, so that nothing leaks out of the block. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function titleOf({ role, name, isSummary }: Message): string {
  if (isSummary) return 'Summary';
  return role === 'tool' ? `Tool: ${name ?? 'unknown'}` : titles[role];
}

function messageToMarkdown(message: Message): string {
  const title = titleOf(message);
  const parts = [`## ${title}`, `*${message.createdAt}*`];
  if (message.thinking !== null) {
    parts.push(`<details><summary>Thinking</summary>\n\n${fenced(message.thinking)}\n\n</details>`);
  }
  if (message.content !== '') parts.push(message.role === 'tool' ? fenced(message.content) : message.content);
  for (const call of message.toolCalls ?? []) {
    parts.push(`Calls **${call.name}**\n\n${fenced(JSON.stringify(call.arguments, null, 2) ?? '', 'json')}`);
  }
  for (const file of [...(message.files ?? []), ...(message.images ?? [])]) parts.push(`Attached: ${file.name}`);
  return parts.join('\n\n');
}

/** What is exported of a session beside its own row. */
export interface ExportedContent {
  messages: readonly Message[];
  plan: Omit<TodoSnapshot, 'sessionId'>;
  children: readonly ExportedChild[];
}

/** A subagent's session, exported with the one whose agent started it. */
export interface ExportedChild extends ExportedContent {
  id: string;
  name: string | null;
  profileId: string;
  createdAt: string;
  /** The call in the parent that started it. */
  toolCallId: string | null;
}

const boxes: Record<StepStatus, string> = { pending: ' ', in_progress: ' ', done: 'x', failed: ' ', skipped: ' ' };
const states: Partial<Record<StepStatus, string>> = {
  in_progress: ' *(in progress)*',
  failed: ' *(failed)*',
  skipped: ' *(skipped)*',
};
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** As a task list; each remark below its step. */
function stepToMarkdown({ status, text, validation, note }: PlanStep): string {
  const remarks = [validation, note].filter((remark) => remark !== null && remark !== '') as string[];
  return [
    `- [${boxes[status]}] ${oneLine(text)}${states[status] ?? ''}`,
    ...remarks.map((remark) => `  ${oneLine(remark)}`),
  ].join('\n');
}

function contentToMarkdown(head: string, { messages, plan, children }: ExportedContent): string {
  const steps = plan.tasks.map(stepToMarkdown).join('\n');
  return [
    head,
    ...(steps === '' ? [] : ['## Plan', steps]),
    ...messages.map(messageToMarkdown),
    ...children.map((child) =>
      contentToMarkdown(`# Subagent: ${child.name ?? child.id}\n\n*Started ${child.createdAt}*`, child),
    ),
  ].join('\n\n');
}

/**
 * The plan and the whole history of the current branch, its summaries among it, as one Markdown document; then those of its
 * subagents.
 */
export function toMarkdown(session: Session, content: ExportedContent): string {
  return `${contentToMarkdown(`# ${session.name ?? 'Untitled chat'}\n\n*Started ${session.createdAt}*`, content)}\n`;
}

/** The same as JSON that import reads back: every field of every message and step, with the format's name and version. */
export function toJson(session: Session, content: ExportedContent): string {
  const { userId: _owner, ...rest } = session;
  return `${JSON.stringify({ format: 'navi-session', version: 1, session: rest, ...content }, null, 2)}\n`;
}

/** A file name that every system takes: letters and digits of any script, the rest as dashes. */
export function exportFileName(name: string | null, extension: string): string {
  const base = (name ?? 'chat')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${Array.from(base).slice(0, 80).join('') || 'chat'}.${extension}`;
}
