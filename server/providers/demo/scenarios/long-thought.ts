import { DEMO_NOTE, type Scenario, say, think } from '../turn';

const THOUGHT = [
  'Let me take this slowly. What is asked, and what is only assumed?',
  'The question has two sides. One is what would be true in general; the other is what helps here and now.',
  'Suppose the first answer that comes to mind is right. What would have to follow? If something that follows is false, the answer is false too.',
  'A small case first: with one item there is nothing to order, with two there are two orders, with three there are six. So the count grows as the product of all numbers up to n.',
  'Does that hold at the edges? With none there is exactly one way: to do nothing. The product over nothing is one. Good, both agree.',
  'I should check the opposite as well. Is there a case where the general rule misleads? When two items look the same, orders that differ only in them count once.',
  'So the answer needs one sentence for the rule, one for the exception, and an example that shows both.',
  'I am confident now, and can write it down briefly.',
];

/** Thinks visibly and at length, then answers briefly. */
export const longThought: Scenario = {
  name: 'long-thought',
  matches: ({ userText }) => /\b(think|thinking|reason|reasoning|ponder)\b/i.test(userText),
  play: () => [
    think(THOUGHT.join('\n\n')),
    say(
      [
        '## After some thought',
        '',
        'Distinct items can be ordered in $n!$ ways. Items that look alike divide that by the ways to order them among themselves:',
        '',
        '$$\\frac{n!}{k_1!\\,k_2!\\cdots k_m!}$$',
        '',
        'For the letters of **NAVI** that is $4! = 24$; for **ANNA** it is $4!/(2!\\,2!) = 6$.',
      ].join('\n') + DEMO_NOTE,
    ),
  ],
};
