import { describe, expect, it } from 'vitest';
import { pastedSteps } from './pasted-steps';

describe('a list that is pasted as steps', () => {
  it.each([
    ['one\ntwo', ['one', 'two']],
    ['- one\r\n- two\r\n', ['one', 'two']],
    ['1. one\n 2) two\n10. ten', ['one', 'two', 'ten']],
    ['* [ ] one\n\n* [x] two', ['one', 'two']],
    ['•\tone\n–  two', ['one', 'two']],
    ['-5 degrees\n3.5 litres', ['-5 degrees', '3.5 litres']],
  ])('%j', (pasted, steps) => {
    expect(pastedSteps(pasted)).toEqual(steps);
  });

  it.each(['', '\n', 'one', '- one\n', '\n1. one'])('%j is no list of several', (pasted) => {
    expect(pastedSteps(pasted)).toBeNull();
  });
});
