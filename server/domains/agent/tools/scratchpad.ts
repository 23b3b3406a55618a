/** The tool `scratchpad`: working notes of a session in named sections. They outlive compression, crashes and restarts. */
import * as z from 'zod';
import type { KvScope, KvStore } from '../../kv/store';
import { defineTool, type Tool, ToolError } from './types';

/** Scope of the notes in the key-value store (seed 001); `memory_search` finds them there. */
export const SCRATCHPAD_SCOPE = 'scratchpad';
const DEFAULT_SECTION = 'notes';
/** Most characters of one section: a pad is read whole, so it has to fit into a context. */
const MAX_SECTION_CHARS = 50_000;

export function createScratchpadTool({ kv }: { kv: KvStore }): Tool {
  return defineTool({
    name: 'scratchpad',
    description:
      'Your working notes for this session, in named sections. They stay when older messages are summarised away, so keep here what ' +
      'you must not forget: findings, decisions, intermediate results. Actions: write (replace a section), append, read ' +
      '(one section, or all), list, remove.',
    // It changes nothing but the session's own notes, so there is nothing to ask.
    class: 'read',
    input: z.object({
      action: z.enum(['write', 'append', 'read', 'list', 'remove']),
      section: z
        .string()
        .max(200)
        .optional()
        .describe(`Name of the section (default "${DEFAULT_SECTION}"; for read: all).`),
      content: z.string().optional().describe('Text for write and append.'),
    }),
    timeoutMs: 10_000,
    resultLimitChars: 60_000,
    isCompressionCritical: false,
    async run({ action, section, content }, { userId, sessionId }) {
      const at: KvScope = { userId, sessionId, scope: SCRATCHPAD_SCOPE };
      const named = section?.trim() || undefined;
      const name = named ?? DEFAULT_SECTION;
      switch (action) {
        case 'write':
        case 'append':
          return {
            text: await put(kv, at, name, requireContent(action, content), action),
            metadata: { section: name },
          };
        case 'read': {
          if (named === undefined) return { text: renderAll(await kv.getAll(at)) };
          const value = await kv.get(at, named);
          if (value === null) throw new ToolError(missing(named, Object.keys(await kv.getAll(at))));
          return { text: value === '' ? '(empty)' : value, metadata: { section: named } };
        }
        case 'list':
          return { text: renderList(await kv.getAll(at)) };
        case 'remove':
          if (named === undefined) throw new ToolError('section: name the section to remove');
          if (!(await kv.remove(at, named))) throw new ToolError(missing(named, Object.keys(await kv.getAll(at))));
          return { text: `Removed section "${named}".`, metadata: { section: named } };
      }
    },
  });
}

async function put(
  kv: KvStore,
  at: KvScope,
  name: string,
  content: string,
  action: 'write' | 'append',
): Promise<string> {
  const existing = action === 'append' ? ((await kv.get(at, name)) ?? '') : '';
  const added = existing === '' || existing.endsWith('\n') ? content : `\n${content}`;
  const length = existing.length + added.length;
  if (length > MAX_SECTION_CHARS) {
    throw new ToolError(
      `Section "${name}" would have ${length} characters, the most is ${MAX_SECTION_CHARS}. Shorten it, or use another section or a file.`,
    );
  }
  if (action === 'append') await kv.append(at, name, added);
  else await kv.set(at, name, content);
  return `${action === 'append' ? 'Appended to' : 'Wrote'} section "${name}" (now ${length} characters).`;
}

function requireContent(action: string, content: string | undefined): string {
  if (content === undefined) throw new ToolError(`content: ${action} needs the text`);
  return content;
}

function missing(section: string, known: string[]): string {
  const list = known.length === 0 ? 'The pad is empty.' : `Sections: ${known.map((name) => `"${name}"`).join(', ')}.`;
  return `There is no section "${section}". ${list}`;
}

function renderAll(values: Record<string, string>): string {
  const sections = Object.entries(values);
  if (sections.length === 0) return 'The pad is empty.';
  return sections.map(([name, value]) => `## ${name}\n${value}`).join('\n\n');
}

function renderList(values: Record<string, string>): string {
  const sections = Object.entries(values);
  if (sections.length === 0) return 'The pad is empty.';
  return sections.map(([name, value]) => `- ${name} (${value.length} characters)`).join('\n');
}
