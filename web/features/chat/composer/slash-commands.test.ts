import { describe, expect, it } from 'vitest';
import type { SlashCommand } from '../../../lib/slash-command';
import { matchingCommands, planCommand, readCommand, withNamesApart } from './slash-commands';

const compact: SlashCommand = { name: 'compact', argument: 'focus', description: '', run: async () => true };
const share: SlashCommand = { name: 'share', argument: null, description: '', run: async () => true };
const bug: SlashCommand = { name: 'fix-bug', argument: 'x', description: '', group: 'Protocols', run: async () => 'x' };
const commands = [compact, planCommand, share, bug];
const offered = (text: string) => matchingCommands(text, commands).map((command) => command.name);

describe('slash commands', () => {
  it.each([
    ['/', ['compact', 'plan', 'share', 'fix-bug']],
    ['/c', ['compact']],
    ['/PL', ['plan']],
    ['/bug', ['fix-bug']],
    ['/x', []],
    ['/compact ', []],
    ['a /c', []],
    ['/c\nmore', []],
    [' /c', []],
    ['//', []],
    ['/etc/hosts', []],
  ])('offers only while the first word of %j is written', (text, names) => {
    expect(offered(text)).toEqual(names);
  });

  it.each([
    ['/compact', compact, ''],
    ['/compact  the invoices\nand dates ', compact, 'the invoices\nand dates'],
    ['/Plan a trip', planCommand, 'a trip'],
    ['/share', share, ''],
    ['/fix-bug the login', bug, 'the login'],
  ])('reads %j', (text, command, argument) => {
    expect(readCommand(text, commands)).toEqual({ command, argument });
  });

  it.each(['/etc/hosts is missing', '/compacted', 'say /compact', '/unknown thing', '/', '/share what you found'])(
    'takes %j as a message',
    (text) => {
      expect(readCommand(text, commands)).toBeNull();
    },
  );

  it('gives each name once: a protocol of a person’s own may be called like a command', () => {
    const named = (name: string, group?: string): SlashCommand => ({
      name,
      argument: null,
      description: '',
      ...(group === undefined ? {} : { group }),
    });
    const apart = withNamesApart([
      planCommand,
      named('coder', 'Profiles'),
      named('plan', 'Protocols'),
      named('coder', 'Protocols'),
    ]);
    expect(apart.map((command) => command.name)).toEqual(['plan', 'coder', 'protocol-plan', 'protocol-coder']);
  });
});
