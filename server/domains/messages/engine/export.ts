import type { Session } from '../../sessions/schema';
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

/** A subagent's session, exported with the one whose agent started it. */
export interface ExportedChild {
  id: string;
  name: string | null;
  profileId: string;
  createdAt: string;
  /** The call in the parent that started it. */
  toolCallId: string | null;
  messages: readonly Message[];
  children: readonly ExportedChild[];
}

function childToMarkdown(child: ExportedChild): string {
  const head = `# Subagent: ${child.name ?? child.id}\n\n*Started ${child.createdAt}*`;
  return [head, ...child.messages.map(messageToMarkdown), ...child.children.map(childToMarkdown)].join('\n\n');
}

/** The whole history of the current branch, its summaries among it, as one Markdown document; then those of its subagents. */
export function toMarkdown(
  session: Session,
  messages: readonly Message[],
  children: readonly ExportedChild[] = [],
): string {
  const head = `# ${session.name ?? 'Untitled chat'}\n\n*Started ${session.createdAt}*`;
  return `${[head, ...messages.map(messageToMarkdown), ...children.map(childToMarkdown)].join('\n\n')}\n`;
}

/** The same as JSON that import reads back: every field of every message, with the format's name and version. */
export function toJson(
  session: Session,
  messages: readonly Message[],
  children: readonly ExportedChild[] = [],
): string {
  const { userId: _owner, ...rest } = session;
  return `${JSON.stringify({ format: 'navi-session', version: 1, session: rest, messages, ...(children.length === 0 ? {} : { children }) }, null, 2)}\n`;
}

/** A file name that every system takes: letters and digits of any script, the rest as dashes. */
export function exportFileName(name: string | null, extension: string): string {
  const base = (name ?? 'chat')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${Array.from(base).slice(0, 80).join('') || 'chat'}.${extension}`;
}
