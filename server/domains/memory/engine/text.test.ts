import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateRanges, findDateCues, matchDate } from './date-cues';
import { foldText } from './fold';
import { parseQuery } from './query';
import { stem } from './stem';
import { distinctTerms, hashTerm } from './term-statistics';
import { createTokeniser } from './tokenise';

const tokeniser = createTokeniser();
const stems = (text: string) => tokeniser.tokens(text).map((token) => token.stem);

describe('folding', () => {
  it.each([
    ['ПРИВІТ', 'привіт'],
    ['Straße', 'STRASSE'],
    ['ſharp', 'Sharp'],
    ['ΟΔΟΣ', 'οδος'],
    ['Zimowa ła\u0328ka', 'zimowa łąka'],
    ['ﬁle ① ２', 'file 1 2'],
    ['⭐\ufe0f', '⭐'],
  ])('%j is %j', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it('keeps marks: й is not и', () => {
    expect(foldText('й')).not.toBe(foldText('и'));
  });

  it('folding what is folded changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});

describe('terms', () => {
  it.each([
    ['researching', 'researched'],
    ['adoption', 'adopted'],
    ['настройки', 'настройка'],
    ['договорились', 'договорились'],
    ['серверами', 'сервере'],
  ])('%s and %s have one stem', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it('find names that stemming keeps apart by their beginning', () => {
    const [first] = tokeniser.tokens('counselor');
    const [second] = tokeniser.tokens('counseling');
    expect(first?.prefix).toBe('couns*');
    expect(second?.prefix).toBe(first?.prefix);
  });

  it('are pairs of characters in scripts without spaces', () => {
    expect(stems('东京塔')).toEqual(['东京', '京塔']);
    expect(stems('日')).toEqual(['日']);
    expect(stems('部署到 prod 服务器')).toEqual(['部署', '署到', 'prod', '服务', '务器']);
    expect(stems('สวัสดี').length).toBeGreaterThan(1);
  });

  it('are identifiers and their parts', () => {
    expect(stems('/srv/app/MAX_RETRIES')).toEqual(expect.arrayContaining(['srv', 'app', 'max']));
    expect(stems('parseHtmlPage')).toEqual(['parsehtmlpag', 'pars', 'html', 'page']);
    expect(stems('PROJ-12 ⭐️')).toEqual(['proj', '12', '⭐']);
  });

  it('survive any text, and only the beginning of a blob', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(distinctTerms(tokeniser.tokens(text))).not.toContain('');
      }),
    );
    expect(stems('a'.repeat(100_000)).every((term) => term.length <= 64)).toBe(true);
  });

  it('hash to 32 bits, apart for each session', () => {
    const hashes = new Set(Array.from({ length: 20_000 }, (_, at) => hashTerm('s1', `term${at}`)));
    expect(hashes.size).toBeGreaterThan(19_990);
    expect(hashTerm('s1', 'docker')).not.toBe(hashTerm('s2', 'docker'));
    for (const hash of hashes) expect(hash).toBe(hash | 0);
  });
});

describe('a question with a page pasted to it', () => {
  const page = Array.from({ length: 200_000 }, (_, at) => `line${at} of the log`).join('\n');

  it.each([
    ['before', `Which boathouse lantern hides the key?\n${page}`],
    ['after', `${page}\nWhich boathouse lantern hides the key?`],
  ])('is read where it stands %s', (_, text) => {
    const { tokens } = parseQuery(text, tokeniser, '2026-01-01T00:00:00Z');
    expect(tokens.map((token) => token.word)).toEqual(expect.arrayContaining(['boathouse', 'lantern', 'key']));
    expect(tokens.length).toBeLessThan(50);
  });
});

describe('dates in a question', () => {
  const now = '2026-03-10T12:00:00.000Z';

  it.each([
    ['What happened on 8 May 2023?', { year: 2023, month: 5, day: 8 }],
    ['the trip in August', { year: null, month: 8, day: null }],
    ['on March 3rd, 2024', { year: 2024, month: 3, day: 3 }],
    ['logs of 2024-11-05', { year: 2024, month: 11, day: 5 }],
    ['что было в июне 2023', { year: 2023, month: 6, day: null }],
    ['what did I say yesterday', { year: 2026, month: 3, day: 9 }],
    ['plans for 2022', { year: 2022, month: null, day: null }],
  ])('%s', (text, cue) => {
    expect(findDateCues(text, now)).toEqual([cue]);
  });

  it('are not seen in ordinary words and numbers', () => {
    for (const text of ['may I ask you to march on?', 'port 20221', 'version 1.2024.3', 'nothing']) {
      expect(findDateCues(text, now)).toEqual([]);
    }
  });

  it('are the same as spans: the best span that holds a time weighs what the time matches', () => {
    const cue = fc.record({
      year: fc.option(fc.integer({ min: 2023, max: 2026 })),
      month: fc.option(fc.integer({ min: 1, max: 12 })),
      day: fc.option(fc.integer({ min: 1, max: 28 })),
    });
    const at = fc.date({ min: new Date('2022-06-01'), max: new Date('2026-03-09'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 3 }), at, (cues, time) => {
        const known = cues.map((one) => (one.month === null ? { ...one, day: null } : one));
        const best = dateRanges(known, now)
          .filter(({ from, to }) => from <= time && time < to)
          .reduce((most, { weight }) => Math.max(most, weight), 0);
        expect(best).toBe(matchDate(time.toISOString(), known));
      }),
    );
  });

  it('match the day best, then the month, then what was told a month later', () => {
    const cues = findDateCues('on 8 May 2023', now);
    const match = (at: string) => matchDate(`${at}T10:00:00.000Z`, cues);
    expect(match('2023-05-08')).toBe(1);
    expect(match('2023-05-20')).toBeLessThan(1);
    expect(match('2023-06-20')).toBeLessThan(match('2023-05-20'));
    expect(match('2024-05-08')).toBe(0);
    expect(match('2023-04-08')).toBe(0);
  });
});
