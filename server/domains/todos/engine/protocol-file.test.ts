import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProjectRoot } from '../../../lib/project-root';
import { MAX_PROTOCOL_STEPS, parseProtocol, protocolIdOf } from './protocol-file';

const head = '---\nname: "Make tea"\ndescription: Tea: the right way\n---\n';

describe('a protocol file', () => {
  it('has a name, guidance, and steps with ids and details', () => {
    const source = `${head}Only with fresh water.\n\n1. Boil water {#boil}\n   All of it.\n\n   Really.\n2) Wait\n\nNot a step.\n   nor this\n`;
    expect(parseProtocol('tea', source)).toEqual({
      ok: true,
      protocol: {
        id: 'tea',
        name: 'Make tea',
        description: 'Tea: the right way',
        guidance: 'Only with fresh water.',
        steps: [
          { id: 'boil', text: 'Boil water', detail: 'All of it.\nReally.' },
          { id: '2', text: 'Wait', detail: '' },
        ],
      },
    });
  });

  it('takes Windows line ends and a byte order mark, and is named by its file when it names itself not', () => {
    const parsed = parseProtocol('tee', '\uFEFF---\r\ndescription: x\r\n---\r\n1. Wasser kochen\r\n');
    expect(parsed).toMatchObject({ ok: true, protocol: { name: 'tee', steps: [{ text: 'Wasser kochen' }] } });
  });

  it.each([
    ['no front matter', '1. a', /front matter/],
    ['unclosed front matter', '---\nname: a\n1. a', /front matter/],
    ['no steps', `${head}- a\n- b`, /no numbered steps/],
    ['doubled ids', `${head}1. a {#x}\n2. b {#x}`, /two of its steps have the id x/],
    [
      'too many steps',
      head + Array.from({ length: MAX_PROTOCOL_STEPS + 1 }, (_, i) => `${i + 1}. s`).join('\n'),
      /41 steps/,
    ],
    ['an endless step', `${head}1. ${'a'.repeat(3_000)}`, /step 1 is longer/],
  ])('with %s is refused with the reason', (_name, source, problem) => {
    const parsed = parseProtocol('x', source);
    expect(parsed.ok ? '' : parsed.problem).toMatch(problem);
  });

  it.each([
    ['research.md', 'research'],
    ['Übergabe-2.md', 'Übergabe-2'],
    ['..md', null],
    ['a/b.md', null],
    ['notes.txt', null],
    ['-x.md', null],
  ])('%s has the id %s', (name, id) => {
    expect(protocolIdOf(name)).toBe(id);
  });

  it('every built-in one can be used', () => {
    const folder = join(findProjectRoot(), 'protocols');
    const names = readdirSync(folder).sort();
    expect(names).toEqual(['fix-bug.md', 'research.md', 'write-document.md']);
    for (const name of names) {
      const parsed = parseProtocol(protocolIdOf(name) ?? '', readFileSync(join(folder, name), 'utf8'));
      expect(parsed).toMatchObject({ ok: true });
      if (parsed.ok) expect(parsed.protocol.steps.length).toBeGreaterThanOrEqual(6);
    }
  });
});
