import { DEMO_NOTE, type Scenario, say, think } from '../turn';

/** Says hello and what can be tried. */
export const greeting: Scenario = {
  name: 'greeting',
  matches: ({ userText }) => /^\W*(hi|hello|hey|good (morning|afternoon|evening)|greetings|help)\b/i.test(userText),
  play: ({ hasTool }) => [
    think('A greeting. I say hello and show what there is to try.'),
    say(
      [
        '# Hello, and welcome to Navi',
        '',
        'Nothing needs to be set up to look around. Try one of these:',
        '',
        '| Say | and see |',
        '| --- | --- |',
        '| *What time is it?* | a tool call |',
        '| *Remember that the tea is green* | a note in the scratchpad |',
        '| *List the files* · *Write a file* | the workspace |',
        ...(hasTool('run_command') ? ['| *Run a command* | a question for your approval |'] : []),
        '| *Plan a small report* | a plan that is worked through, step by step |',
        '| *Work through a task in steps* | several tools, one after the other |',
        '| *Draw a diagram* | a diagram |',
        '| *Think about it* | reasoning before the answer |',
        '| *A long answer, please* | about 1,500 words |',
        '| *Fail* | what an error looks like |',
      ].join('\n') + DEMO_NOTE,
    ),
  ],
};
