import { call, DEMO_NOTE, quote, type Scenario, say, think } from '../turn';

const DEFAULT_COMMAND = 'echo "Hello from the demo model"';
const FAMILIAR =
  /\brun\s+((?:ls|date|echo|pwd|cat|uname|whoami|node|npm|git|df|du|wc|head|tail|find|grep|sleep)\b[^\n]*)/i;

/** Runs a command, which asks the person first. */
export const command: Scenario = {
  name: 'command',
  matches: ({ userText }) => /\b(run|command|shell|execute)\b/i.test(userText),
  play(turn) {
    const result = turn.results.at(-1);
    if (result !== undefined) {
      return result.isError
        ? [
            say(
              `The command did not run:\n\n${quote(result)}\n\nThat is fine: nothing happens without your yes.${DEMO_NOTE}`,
            ),
          ]
        : [say(`The command printed:\n\n${quote(result)}${DEMO_NOTE}`)];
    }
    if (!turn.hasTool('run_command')) {
      return [
        say(
          `Shell commands are switched off, as they are unless somebody asks for them. Start Navi with \`NAVI_RUN_COMMAND_ENABLED=true\` and ask again: you will be shown the command before it runs.${DEMO_NOTE}`,
        ),
      ];
    }
    const given = /`([^`]+)`/.exec(turn.userText)?.[1] ?? FAMILIAR.exec(turn.userText)?.[1];
    return [
      think('A command changes the world outside, so Navi asks the person before it runs.'),
      say('I would like to run a command. Please look at it first.'),
      call('run_command', { command: (given ?? DEFAULT_COMMAND).trim() }),
    ];
  },
};
