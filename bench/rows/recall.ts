import type { Message } from '../../server/domains/messages/schema';
import { createMessage } from '../../server/domains/messages/testing/messages';
import { openMemory } from '../lib/memory';
import type { Row } from '../lib/row';
import { format, median, time } from '../lib/stats';

const MESSAGES = 100_000;
/** Messages that one compression takes out here. */
const BATCH = 500;
const QUERIES = 60;
const WARM_UP = 10;
const FIGURE_MS = 30;

/** Words by Zipf's law, as in real text: few are everywhere, most are rare. Deterministic. */
function createWords(): () => string {
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 0x1000000;
  };
  const syllables = ['ka', 'lo', 'mi', 'ren', 'tas', 'vu', 'pel', 'dor', 'shi', 'gan', 'bre', 'nol'];
  const wordOf = (rank: number): string => {
    let word = '';
    for (let left = rank + 12; left > 0; left = Math.floor(left / 12)) word += syllables[left % 12] ?? '';
    return word;
  };
  return () => wordOf(Math.floor(20_000 ** random()) - 1);
}

const sentence = (next: () => string, words: number): string => Array.from({ length: words }, next).join(' ');

/** What a new message costs before its first step: a look into everything that was ever said. */
export const recallRow: Row = {
  id: 'recall',
  what: 'memory recall in a session with 100,000 messages compressed',
  figure: `p50 ≤ ${FIGURE_MS} ms`,
  async run(bench) {
    const { database, unitOfWork, sessions, memory, close } = openMemory(await bench.createDatabase());
    await unitOfWork.run((tx) =>
      sessions.insert(tx, { id: 'long', userId: null, profileId: 'default', name: null, parentId: null, model: null }),
    );
    const next = createWords();
    const asked: string[] = [];
    let writeMs = 0;
    for (let first = 1; first <= MESSAGES; first += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, at) => makeMessage(first + at, sentence(next, 40)));
      asked.push(batch[BATCH / 2]?.content.split(' ').slice(5, 17).join(' ') ?? '');
      writeMs += await time(() =>
        unitOfWork.run(async (tx) => {
          await memory.writeChunks(tx, { sessionId: 'long', compressionId: `c${first}`, messages: batch });
        }),
      );
    }
    await database.pool.query('VACUUM ANALYZE memory_chunks, memory_terms');
    const session = await sessions.findAny('long');
    if (session === null) throw new Error('the session is gone');
    const times: number[] = [];
    let found = 0;
    for (let query = 0; query < WARM_UP + QUERIES; query++) {
      const text = asked[(query * 7) % asked.length] ?? '';
      let excerpts: { text: string }[] = [];
      const tookMs = await time(async () => {
        excerpts = await memory.recall(session, { text, context: [], budgetChars: 4000 });
      });
      if (query < WARM_UP) continue;
      times.push(tookMs);
      if (excerpts.some((excerpt) => excerpt.text.includes(text))) found += 1;
    }
    await close();
    times.sort((a, b) => a - b);
    const p50 = median(times);
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
    return {
      measured: `p50 ${format(p50)} ms, p95 ${format(p95)} ms; ${found} of ${QUERIES} quoted passages found; ${format(writeMs / (MESSAGES / BATCH))} ms to index ${BATCH} messages`,
      passed: p50 <= FIGURE_MS,
      values: { p50, p95, found, indexMs: writeMs / (MESSAGES / BATCH) },
    };
  },
};

const makeMessage = (sequenceNumber: number, content: string): Message =>
  createMessage(sequenceNumber, {
    role: sequenceNumber % 2 === 1 ? 'user' : 'assistant',
    content,
    createdAt: new Date(Date.UTC(2026, 0, 1) + sequenceNumber * 30_000).toISOString(),
    isContext: false,
  });
