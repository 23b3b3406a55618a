import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contexts, history } from '../../compression/engine/testing/histories';
import { CHUNK_CHARS, chunkHashInput, chunkMessages, cutText, messageText } from './chunk';
import { lookupScore, MAX_POSTINGS, planLookup } from './lookup';
import { buildMemoryIndex } from './memory-index';
import { parseQuery } from './query';
import { defaultMinSimilarity } from './select';
import { createTokeniser } from './tokenise';

const now = '2026-03-10T12:00:00.000Z';
const tokeniser = createTokeniser();
const budget = { budgetChars: 4000 };

describe('chunks', () => {
  it('hold every word of every message, in order, verbatim', () => {
    fc.assert(
      fc.property(contexts, (messages) => {
        const passages = chunkMessages(messages).flatMap((chunk) => chunk.passages);
        const spoken = messages.filter((message) => messageText(message) !== '');
        for (const message of spoken) {
          const own = passages.filter((passage) => passage.sequenceNumber === message.sequenceNumber);
          expect(own.map((passage) => passage.text).join('')).toBe(messageText(message));
        }
        const order = passages.map((passage) => passage.sequenceNumber);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }),
    );
  });

  it('stay near their size, and cut a huge result at ends of lines', () => {
    const built = history().user('run it').calls(['a']).result('a', 'a line of output\n'.repeat(5000));
    for (const chunk of chunkMessages(built.messages)) {
      expect(chunk.passages.reduce((sum, passage) => sum + passage.text.length, 0)).toBeLessThanOrEqual(
        2 * CHUNK_CHARS,
      );
      for (const passage of chunk.passages.slice(0, -1)) expect(passage.text.length).toBeLessThanOrEqual(CHUNK_CHARS);
    }
    expect(cutText('a line of output\n'.repeat(5000)).every((piece) => piece.endsWith('\n'))).toBe(true);
  });

  it('never split a surrogate pair', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), (shift) => {
        const text = `${'x'.repeat(shift)}${'🙂'.repeat(3000)}`;
        const pieces = cutText(text);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });

  it('know their turns, and end at a long pause', () => {
    const built = history().user('first').assistant('one').user('second').assistant('two');
    const late = built.messages.map((message, at) =>
      at < 2 ? message : { ...message, createdAt: '2026-01-02T00:00:00.000Z' },
    );
    const chunks = chunkMessages(late);
    expect(chunks.map((chunk) => [chunk.firstSequence, chunk.lastSequence, chunk.firstTurn, chunk.lastTurn])).toEqual([
      [1, 2, 1, 1],
      [3, 4, 3, 3],
    ]);
  });

  it('that say the same words at another place are others', () => {
    const [first] = chunkMessages(history().user('same').messages);
    const [second] = chunkMessages(
      history()
        .user('same')
        .messages.map((message) => ({ ...message, sequenceNumber: 9 })),
    );
    if (first === undefined || second === undefined) throw new Error('no chunks');
    expect(chunkHashInput(first)).not.toBe(chunkHashInput(second));
  });
});

describe('search', () => {
  const facts: readonly [said: string, question: string][] = [
    ['The staging database listens on port 6543.', 'which port does the staging database use?'],
    ['Договорились: счета отправляем Марии по пятницам.', 'когда отправлять счёт Марии?'],
    ['部署脚本放在 /opt/deploy/run.sh 里。', '部署脚本在哪里'],
    ['Anna: I adopted two greyhounds from the shelter in Porto.', 'Which greyhounds did Anna adopt?'],
    ['Set MAX_UPLOAD_MB to 48 in the gateway config.', 'max upload mb gateway'],
    ['⭐ means the invoice was paid twice.', 'what does ⭐️ mean'],
    ['Die Straße vor dem Lager wird im Juni gesperrt.', 'wann wird die STRASSE gesperrt'],
  ];
  const built = history();
  facts.forEach(([said], at) => {
    for (let filler = 0; filler < 30; filler++) {
      built
        .user(`filler question ${at} ${filler} about the weather and the garden`)
        .assistant(`It will rain, plant tomatoes number ${filler}.`);
    }
    built.user('Note this.').assistant(said);
  });
  const index = buildMemoryIndex(chunkMessages(built.messages), tokeniser);

  it.each(facts)('finds %j', (said, question) => {
    const [best] = index.search(question, now, { ...budget, minSimilarity: defaultMinSimilarity });
    expect(best?.text).toContain(said);
  });

  it('finds what a long message asks about among all that it mentions', () => {
    const question = `Hello! I hope you had a good weekend; ours was long, with visitors, a broken dishwasher and very little sleep, so bear with me. ${'Anyway, the team keeps arguing about colours, fonts, lunch and chairs. '} Before I forget it: which port does the staging database listen on, roughly speaking?`;
    const [best] = index.search(question, now, { ...budget, minSimilarity: defaultMinSimilarity });
    expect(best?.text).toContain('6543');
  });

  it('finds an answer beside the words that were asked about', () => {
    const pair = history()
      .user('What is the door code of the archive room?')
      .assistant('4471, and do not write it down.');
    const all = buildMemoryIndex(
      chunkMessages([
        ...built.messages,
        ...pair.messages.map((message, at) => ({ ...message, sequenceNumber: 900 + at })),
      ]),
      tokeniser,
    );
    const [best] = all.search('door code of the archive room', now, budget);
    expect(best?.text).toContain('4471');
  });

  it('brings nothing in for a question about something else, or about nothing', () => {
    for (const question of ['thanks, go on', 'explain quantum entanglement with photons', '', '???']) {
      expect(index.search(question, now, { ...budget, minSimilarity: defaultMinSimilarity })).toEqual([]);
    }
  });

  it('keeps to its budget, joins neighbours, says nothing twice, and rates between 0 and 1', () => {
    fc.assert(
      fc.property(
        contexts,
        fc.integer({ min: 50, max: 6000 }),
        fc.constantFrom('xxx', 'look id call', 'ssss 12'),
        (messages, budgetChars, question) => {
          const found = buildMemoryIndex(chunkMessages(messages), tokeniser).search(question, now, { budgetChars });
          expect(found.reduce((sum, excerpt) => sum + excerpt.text.length, 0)).toBeLessThanOrEqual(budgetChars);
          expect(new Set(found.map((excerpt) => excerpt.text)).size).toBe(found.length);
          for (const excerpt of found) {
            expect(excerpt.similarity).toBeGreaterThan(0);
            expect(excerpt.similarity).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('the lookup', () => {
  const statistics = (counts: Record<string, number>) => ({
    chunkCount: 25_000,
    chunksWith: (term: string) => counts[term] ?? 0,
  });

  it('finds candidates by rare terms and touches a bounded number of postings', () => {
    const query = parseQuery('greyhound shelter question filler', tokeniser, now);
    const lookup = planLookup(
      query,
      statistics({ greyhound: 3, 'greyh*': 3, shelter: 900, 'shelt*': 950, question: 24_000 }),
    );
    expect(lookup?.anyOf).toEqual(['greyhound', 'greyh*', 'shelter']);
    expect(lookup?.weights.map(({ term }) => term)).toContain('question');
    const common = planLookup(query, statistics({ question: 24_000 }));
    expect(common?.anyOf).toEqual(['question']);
    expect(planLookup(query, statistics({}))).toBeNull();
    expect(MAX_POSTINGS).toBeLessThan(24_000);
  });

  it('scores a chunk by the weight of what it holds', () => {
    const lookup = planLookup(parseQuery('port staging', tokeniser, now), statistics({ port: 10, stage: 1000 }));
    if (lookup === null) throw new Error('no lookup');
    expect(lookupScore(lookup, new Set(['port']))).toBeGreaterThan(lookupScore(lookup, new Set(['stage'])));
    expect(lookupScore(lookup, new Set(['other']))).toBe(0);
  });
});
