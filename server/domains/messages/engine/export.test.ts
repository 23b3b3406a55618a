import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../sessions/schema';
import { parseTasks } from '../../todos/engine/stored';
import type { Message } from '../schema';
import { anyHistory, createMessage } from '../testing/messages';
import { type ExportedContent, exportFileName, toJson, toMarkdown } from './export';

const noPlan: ExportedContent['plan'] = { revision: 0, updatedAt: null, tasks: [] };
const only = (messages: readonly Message[]): ExportedContent => ({ messages, plan: noPlan, children: [] });
const session = { id: 's', name: null, userId: 'owner', createdAt: '2026-01-01T00:00:00.000Z' } as unknown as Session;

describe('export', () => {
  it('reads back from JSON as it was, without the owner', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const parsed = JSON.parse(toJson(session, only(messages)));
        expect(parsed).toEqual({
          format: 'navi-session',
          version: 1,
          session: { ...session, userId: undefined },
          messages,
          plan: noPlan,
          children: [],
        });
      }),
    );
  });

  it('lets nothing leak out of its blocks in Markdown, whatever backticks a result holds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', '```', '~~~', '\n', 'a', '# x'), { maxLength: 20 }), (pieces) => {
        const content = `${pieces.join('')}.`;
        const markdown = toMarkdown(session, only([createMessage(1, { role: 'tool', name: 'read', content })]));
        const fence = /\n(`{3,})\n/.exec(markdown)?.[1] ?? '';
        expect(markdown).toContain(`\n${fence}\n${content}\n${fence}\n`);
        expect(content).not.toContain(fence);
      }),
    );
  });

  it('tells roles, thinking, calls and attachments in Markdown', () => {
    const file = { id: 'f', name: 'plan.pdf', kind: 'pdf' as const, mimeType: 'application/pdf', sizeBytes: 1 };
    const markdown = toMarkdown(
      session,
      only([
        createMessage(1, { content: 'Look at this', files: [file] }),
        createMessage(2, {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          toolCalls: [{ id: '1', name: 'read', arguments: { path: 'a' } }],
        }),
      ]),
    );
    expect(markdown).toContain('# Untitled chat');
    for (const text of ['## You', 'Look at this', 'Attached: plan.pdf', 'Hm.', 'Calls **read**', '"path": "a"'])
      expect(markdown).toContain(text);
  });

  it('holds the plan as a task list before what was said, with how each step was checked; and that of each subagent', () => {
    const plan = {
      ...noPlan,
      tasks: parseTasks([
        { text: 'Look\n# around', status: 'done', validation: 'read it all' },
        { text: 'Write', status: 'in_progress' },
        { text: 'Ask', status: 'failed', note: 'nobody there' },
        { text: 'Sing', status: 'skipped' },
        { text: 'Rest' },
      ]),
    };
    const own = { ...noPlan, tasks: parseTasks([{ text: 'count' }]) };
    const child = { id: 'c', name: 'Count', profileId: 'default', createdAt: session.createdAt, toolCallId: '1' };
    const content: ExportedContent = {
      messages: [createMessage(1, { content: 'Begin' })],
      plan,
      children: [{ ...child, ...only([]), plan: own }],
    };
    const markdown = toMarkdown(session, content);
    const list = [
      '- [x] Look # around',
      '  read it all',
      '- [ ] Write *(in progress)*',
      '- [ ] Ask *(failed)*',
      '  nobody there',
      '- [ ] Sing *(skipped)*',
      '- [ ] Rest',
    ];
    expect(markdown).toContain(`\n\n## Plan\n\n${list.join('\n')}\n\n## You\n`);
    expect(markdown).toMatch(/# Subagent: Count\n\n\*Started .*\*\n\n## Plan\n\n- \[ \] count\n$/);
    expect(JSON.parse(toJson(session, content))).toMatchObject({ plan, children: [{ id: 'c', plan: own }] });
  });

  it.each([
    [null, 'chat.md'],
    ['', 'chat.md'],
    ['///', 'chat.md'],
    ['../../etc/passwd', 'etc-passwd.md'],
    ['Łąka & 问题 ⭐️', 'Łąka-问题.md'],
    ['a'.repeat(200), `${'a'.repeat(80)}.md`],
  ])('names the file of %j %j', (name, expected) => {
    expect(exportFileName(name, 'md')).toBe(expected);
  });
});
