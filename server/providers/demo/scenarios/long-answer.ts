import { DEMO_NOTE, type Scenario, say, think } from '../turn';

/** A title, the thing it is about, its opposite, and a picture for it. */
const CHAPTERS: readonly (readonly [title: string, thing: string, opposite: string, picture: string])[] = [
  [
    'The history',
    'a history that is never shortened',
    'a summary that has replaced its source',
    'a library with its shelves in order',
  ],
  [
    'The context',
    'a context that stays within its window',
    'a prompt that grows until it is cut',
    'a desk with room for today’s papers',
  ],
  [
    'The plan',
    'a plan that is written down',
    'an intention that is merely repeated',
    'a map on which the way is marked',
  ],
  [
    'The stream',
    'an answer that arrives word by word',
    'a page that stays blank until the end',
    'a letter read over the writer’s shoulder',
  ],
  [
    'The memory',
    'an excerpt that returns when it is needed',
    'a past that nobody can look up',
    'a notebook with a good index',
  ],
  [
    'The failure',
    'an error that says what to do next',
    'a stack of words that nobody asked for',
    'a signpost at a closed road',
  ],
  [
    'The owner',
    'data that stays on one machine',
    'a service that knows more than its reader',
    'a house whose keys hang by the door',
  ],
];

const SENTENCES: readonly ((thing: string, opposite: string, picture: string) => string)[] = [
  (thing, opposite) =>
    `There is a plain difference between ${thing} and ${opposite}, and most of the work lies in keeping to the first of the two.`,
  (_thing, _opposite, picture) =>
    `The right picture for it is ${picture}: nothing about it is clever, and everything about it can be found again.`,
  (thing) =>
    `Whoever has once worked with ${thing} notices very soon how much attention was spent elsewhere before, on remembering what a machine could have remembered.`,
  (_thing, opposite) =>
    `The trouble with ${opposite} is not that it fails every time, but that nobody can tell beforehand when it will.`,
  () =>
    'So the rule is simple to say, though it takes some care to follow: first keep what was given, then decide what to show, and only then decide what to leave aside.',
  (thing) =>
    `It also makes testing easier, because ${thing} can be looked at from outside and compared with what was expected.`,
  (_thing, _opposite, picture) =>
    `And when something does go wrong, as it will, one still has ${picture}, which is a better place to begin than an empty room.`,
];

/** About 1,500 words, to watch a long stream, scroll, stop it, or fill the context. */
export const longAnswer: Scenario = {
  name: 'long-answer',
  matches: ({ userText }) => /\b(long|longer|essay)\b/i.test(userText),
  play: () => [
    think('They want a long answer. Seven short chapters will do.'),
    say(
      [
        '# Seven short chapters about keeping things',
        '',
        'This answer is long on purpose. Scroll while it arrives, stop it half-way, reload the page, or open it in a second tab: it goes on all the same.',
        ...CHAPTERS.flatMap(([title, thing, opposite, picture], index) => [
          '',
          `## ${index + 1}. ${title}`,
          '',
          SENTENCES.map((sentence) => sentence(thing, opposite, picture)).join(' '),
        ]),
      ].join('\n') + DEMO_NOTE,
    ),
  ],
};
