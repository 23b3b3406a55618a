import { describe, expect, it } from 'vitest';
import { matchingCommands, planCommand, readCommand, type SlashCommand } from './slash-commands';

const compact: SlashCommand = { name: 'compact', argument: 'focus', description: '', run: async () => true };
const commands = [compact, planCommand];
const offered = (text: string) => matchingCommands(text, commands).map((command) => command.name);

describe('slash commands', () => {
  it.each([
    ['/', ['compact', 'plan']],
    ['/c', ['compact']],
    ['/PL', ['plan']],
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
  ])('reads %j', (text, command, argument) => {
    expect(readCommand(text, commands)).toEqual({ command, argument });
  });

  it.each(['/etc/hosts is missing', '/compacted', 'say /compact', '/unknown thing', '/'])(
    'takes %j as a message',
    (text) => {
      expect(readCommand(text, commands)).toBeNull();
    },
  );
});
