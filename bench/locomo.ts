/**
 * Memory search on LoCoMo, lexical only: the share of evidence messages contained in what is returned within a budget of text
 * (characters / 4). Weights were tuned on conversations 1, 3, 5, 7 and 9; the other five and all ten are reported.
 */

import type { RankedPassage } from '../server/domains/memory/engine/rank';
import { defaultMinSimilarity, selectExcerpts } from '../server/domains/memory/engine/select';
import { createTokeniser } from '../server/domains/memory/engine/tokenise';
import { createLookup } from '../server/domains/memory/lookup';
import { createMemoryStore } from '../server/domains/memory/store';
import { systemClock } from '../server/lib/clock';
import { type BenchRow, medianOf } from './engine-rows';
import { openMemory } from './lib/memory';
import { type Conversation, findLocomoFile, type Question, readLocomo } from './locomo-data';

/** Returned tokens, and what must hold for all ten conversations. */
const BUDGETS: readonly { tokens: number; figure: number | null }[] = [
  { tokens: 500, figure: null },
  { tokens: 1000, figure: 0.82 },
  { tokens: 2000, figure: 0.88 },
  { tokens: 4000, figure: null },
];
const CHARS_PER_TOKEN = 4;
/** Excerpts that memory recall brings in by itself (`memory_recall_k`). */
const RECALL_EXCERPTS = 2;
const TUNED = [0, 2, 4, 6, 8];

/** A conversation with the answers to its own questions, and to some that another conversation asks. */
interface Asked extends Conversation {
  ranked: RankedPassage[][];
  foreign: RankedPassage[][];
}

/** Every fourth question is also asked of another conversation, which cannot know. */
const FOREIGN_STEP = 4;

/**
 * Each conversation becomes a session of which everything is compressed, in a real database, and each question a lookup as
 * memory search makes it. `url` is of an empty, migrated database.
 */
async function askAll(
  url: string,
  conversations: readonly Conversation[],
): Promise<{ asked: Asked[]; times: number[] }> {
  const { database, unitOfWork, sessions, memory, close } = openMemory(url);
  const times: number[] = [];
  const asked: Asked[] = [];
  for (const [at, { messages }] of conversations.entries()) {
    const id = `c${at}`;
    await unitOfWork.run(async (tx) => {
      await sessions.insert(tx, { id, userId: null, profileId: 'default', name: null, parentId: null, model: null });
      await memory.writeChunks(tx, { sessionId: id, compressionId: id, messages });
    });
  }
  await database.pool.query('ANALYZE memory_chunks, memory_terms');
  const tokeniser = createTokeniser();
  for (const [at, conversation] of conversations.entries()) {
    // Asked when the conversation was over.
    const now = new Date(conversation.messages.at(-1)?.createdAt ?? 0);
    const lookup = createLookup({
      store: createMemoryStore(database.prisma),
      tokeniser,
      clock: { ...systemClock, now: () => now },
      embeddings: { nearest: async () => new Map() },
    });
    const rank = async (question: Question) => {
      const startedAtMs = performance.now();
      const { ranked } = await lookup.rank({ id: `c${at}`, salt: `c${at}` }, question.text);
      times.push(performance.now() - startedAtMs);
      return ranked;
    };
    const ranked: RankedPassage[][] = [];
    for (const question of conversation.questions) ranked.push(await rank(question));
    const others = conversations[(at + conversations.length - 1) % conversations.length]?.questions ?? [];
    const foreign: RankedPassage[][] = [];
    for (let number = 0; number < others.length; number += FOREIGN_STEP) {
      const question = others[number];
      if (question !== undefined) foreign.push(await rank(question));
    }
    asked.push({ ...conversation, ranked, foreign });
  }
  await close();
  return { asked, times };
}

/** Null when the file is not there. */
export async function runLocomoBench(createDatabase: () => Promise<string>): Promise<BenchRow[] | null> {
  const path = findLocomoFile();
  if (path === null) return null;
  const { asked, times } = await askAll(await createDatabase(), readLocomo(path));
  const groups = [
    { name: 'all ten conversations', which: asked, isJudged: true },
    { name: 'the five it was tuned on', which: asked.filter((_, at) => TUNED.includes(at)), isJudged: false },
    { name: 'the other five', which: asked.filter((_, at) => !TUNED.includes(at)), isJudged: true },
  ];
  const rows = groups.flatMap(({ name, which, isJudged }) =>
    BUDGETS.map(({ tokens, figure }) => recallRow({ name, which, tokens, figure: isJudged ? figure : null })),
  );
  return [...rows, similarityRow(asked), timeRow(times)];
}

function recallRow(input: { name: string; which: readonly Asked[]; tokens: number; figure: number | null }): BenchRow {
  const shares = input.which.flatMap(({ questions, ranked }) =>
    questions.map((question, number) =>
      shareFound(question, selectExcerpts(ranked[number] ?? [], { budgetChars: input.tokens * CHARS_PER_TOKEN })),
    ),
  );
  const recall = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return {
    name: `LoCoMo evidence recall at ${input.tokens} tokens, ${input.name}`,
    unit: 'share',
    median: Math.round(recall * 1000) / 1000,
    figure: input.figure,
    isMet: input.figure === null || recall >= input.figure,
    detail: `mean over ${shares.length} questions, lexical only`,
  };
}

function shareFound(question: Question, excerpts: readonly { firstSequence: number; lastSequence: number }[]): number {
  const found = question.evidence.filter((sequence) =>
    excerpts.some((excerpt) => excerpt.firstSequence <= sequence && sequence <= excerpt.lastSequence),
  );
  return found.length / question.evidence.length;
}

/**
 * What the default threshold of memory recall does: how many questions bring in an excerpt, and how many questions of another
 * conversation, whose answer cannot be there, do so all the same.
 */
function similarityRow(asked: readonly Asked[]): BenchRow {
  const best = (list: readonly RankedPassage[]) =>
    list.reduce((most, passage) => Math.max(most, passage.similarity), 0);
  const own = asked.flatMap(({ ranked }) => ranked.map(best));
  const foreign = asked.flatMap((conversation) => conversation.foreign.map(best));
  const helped = asked
    .flatMap(({ questions, ranked }) =>
      questions.map((question, number) =>
        shareFound(
          question,
          selectExcerpts(ranked[number] ?? [], {
            budgetChars: 4000,
            minSimilarity: defaultMinSimilarity,
            maxExcerpts: RECALL_EXCERPTS,
          }),
        ),
      ),
    )
    .filter((share) => share > 0).length;
  const passing = (values: readonly number[]) =>
    values.filter((value) => value >= defaultMinSimilarity).length / values.length;
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  return {
    name: `memory recall at similarity ${defaultMinSimilarity}: questions answered by its ${RECALL_EXCERPTS} excerpts`,
    unit: '%',
    median: Math.round((helped / own.length) * 100),
    figure: null,
    isMet: true,
    detail: `questions over the threshold: ${percent(passing(own))}, questions of another conversation over it: ${percent(passing(foreign))}`,
  };
}

function timeRow(times: readonly number[]): BenchRow {
  return {
    name: 'one question over a whole conversation',
    unit: 'ms',
    median: Math.round(medianOf(times) * 100) / 100,
    figure: null,
    isMet: true,
    detail: `${times.length} questions`,
  };
}
