import { describe, expect, it } from 'vitest';
import { faultsSentence, progressWords, summaryBody } from './words';

describe('words of a compression', () => {
  it.each([
    [null, 'Getting ready'],
    [{ phase: 'planning', attempt: 1, part: null, parts: null }, 'Choosing what stays'],
    [{ phase: 'summarising', attempt: 1, part: 1, parts: 1 }, 'Writing the summary'],
    [
      { phase: 'summarising', attempt: 2, part: 2, parts: 3 },
      'Writing the summary, part 2 of 3, second attempt, keeping more',
    ],
  ] as const)('say what it does now: %j', (progress, words) => {
    expect(progressWords(progress)).toBe(words);
  });

  it('name each fault once, and one that is unknown by its code', () => {
    expect(faultsSentence([])).toBeNull();
    expect(faultsSentence(['empty', 'empty'])).toBe('2 attempts came to nothing: the model wrote no summary.');
    expect(faultsSentence(['brand-new'])).toBe('One attempt came to nothing: brand-new.');
  });

  it('leave out of a summary what only the model needs, and nothing of the summary', () => {
    expect(summaryBody('[Summary of 4 earlier messages (1 to 4). memory_search finds it.]\n- [x] done')).toBe(
      '- [x] done',
    );
    expect(summaryBody('- plain\n[not a head]')).toBe('- plain\n[not a head]');
  });
});
