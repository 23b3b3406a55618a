import { describe, expect, it } from 'vitest';
import { excerptAround, markWords } from './mark-words';
import { readRecall } from './read-recall';

const marked = (text: string, query: string) =>
  markWords(text, query).flatMap((part) => (part.isMarked ? [part.text] : []));

describe('markWords', () => {
  it.each([
    ['The archive is in room 214, an archived copy too.', 'archive 214', ['archive', '214', 'archive']],
    ['Счёт оплачен, счёта нет', 'счёт', ['Счёт', 'счёт']],
    ['in /srv/backup/weekly at (a.b)', '/srv/backup a.b ( [', ['/srv/backup', 'a.b']],
    ['the unarchive', 'archive', []],
  ])('marks in %j the words of %j', (text, query, words) => {
    expect(marked(text, query)).toEqual(words);
  });

  it('loses nothing of the text, whatever is asked for', () => {
    const text = 'a.b (c) $4,310 $4,310';
    for (const query of ['', '$4,310', 'a.b', '...', '$$ a']) {
      expect(
        markWords(text, query)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }
  });
});

describe('excerptAround', () => {
  it('shows the place that was found, wherever it stands in a long text', () => {
    const text = `${'before it '.repeat(100)}the harbour ${'after it '.repeat(100)}`;
    const excerpt = excerptAround(text, 'harbour', 300);
    expect(excerpt).toContain('the harbour');
    expect(excerpt.length).toBeLessThan(310);
    expect(excerptAround(text, 'nowhere', 300).startsWith('before it')).toBe(true);
    expect(excerptAround('short harbour', 'harbour', 300)).toBe('short harbour');
    expect(excerptAround(`${'x'.repeat(900)} end`, 'end', 300)).toContain('end');
  });
});

describe('readRecall', () => {
  it('shows the record as it is where its passages cannot be told apart', () => {
    expect(readRecall({ content: 'all', metadata: { excerpts: [{ text: 1 }, null, 'x'] } })).toEqual([
      { firstSequence: null, startedAt: null, text: 'all' },
    ]);
    const excerpts = [{ firstSequence: 3, startedAt: '2026-01-01T00:00:00.000Z', text: 'words' }];
    expect(readRecall({ content: 'all', metadata: { excerpts } })).toEqual(excerpts);
  });
});
