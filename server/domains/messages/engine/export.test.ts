import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../sessions/schema';
import { anyHistory, createMessage } from '../testing/messages';
import { exportFileName, toJson, toMarkdown } from './export';

const session = { id: 's', name: null, userId: 'owner', createdAt: '2026-01-01T00:00:00.000Z' } as unknown as Session;

describe('export', () => {
  it('reads back from JSON as it was, without the owner', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const parsed = JSON.parse(toJson(session, messages));
        expect(parsed).toEqual({
          format: 'navi-session',
          version: 1,
          session: { ...session, userId: undefined },
          messages,
        });
      }),
    );
  });

  it('lets nothing leak out of its blocks in Markdown, whatever backticks a result holds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', '```', '~~~', '\n', 'a', '# x'), { maxLength: 20 }), (pieces) => {
        const content = `${pieces.join('')}.`;
        const markdown = toMarkdown(session, [createMessage(1, { role: 'tool', name: 'read', content })]);
        const fence = /\n(`{3,})\n/.exec(markdown)?.[1] ?? '';
        expect(markdown).toContain(`\n${fence}\n${content}\n${fence}\n`);
        expect(content).not.toContain(fence);
      }),
    );
  });

  it('tells roles, thinking, calls and attachments in Markdown', () => {
    const file = { id: 'f', name: 'plan.pdf', kind: 'pdf' as const, mimeType: 'application/pdf', sizeBytes: 1 };
    const markdown = toMarkdown(session, [
      createMessage(1, { content: 'Look at this', files: [file] }),
      createMessage(2, {
        role: 'assistant',
        content: '',
        thinking: 'Hm.',
        toolCalls: [{ id: '1', name: 'read', arguments: { path: 'a' } }],
      }),
    ]);
    expect(markdown).toContain('# Untitled chat');
    for (const text of ['## You', 'Look at this', 'Attached: plan.pdf', 'Hm.', 'Calls **read**', '"path": "a"'])
      expect(markdown).toContain(text);
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
