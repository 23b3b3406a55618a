/**
 * Memory search on LoCoMo, lexical only: the share of evidence messages contained in what is returned within a budget of text
 * (characters / 4). Weights were tuned on conversations 1, 3, 5, 7 and 9; the other five and all ten are reported.
 */
import { pathToFileURL } from 'node:url';
import { chunkMessages } from '../server/domains/memory/engine/chunk';
import { buildMemoryIndex, type MemoryIndex } from '../server/domains/memory/engine/memory-index';
import { parseQuery, type Query } from '../server/domains/memory/engine/query';
import type { RankedPassage } from '../server/domains/memory/engine/rank';
import { defaultMinSimilarity, selectExcerpts } from '../server/domains/memory/engine/select';
import { createTokeniser } from '../server/domains/memory/engine/tokenise';
import { type BenchRow, medianOf, printRows } from './engine-rows';
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

interface Prepared extends Conversation {
  index: MemoryIndex;
  queries: Query[];
}

export async function runLocomoBench(): Promise<BenchRow[]> {
  const path = findLocomoFile();
  if (path === null) {
    return [
      {
        name: 'LoCoMo evidence recall',
        unit: 'share',
        median: 0,
        figure: null,
        isMet: false,
        detail: 'not measured: locomo10.json was not found beside the repository; set NAVI_LOCOMO_FILE',
      },
    ];
  }
  const tokeniser = createTokeniser();
  const conversations = readLocomo(path).map((conversation): Prepared => {
    const now = conversation.messages[conversation.messages.length - 1]?.createdAt ?? '';
    return {
      ...conversation,
      index: buildMemoryIndex(chunkMessages(conversation.messages), tokeniser),
      queries: conversation.questions.map((question) => parseQuery(question.text, tokeniser, now)),
    };
  });
  const ranked = conversations.map(({ index, queries }) => queries.map((query) => index.rank(query)));
  const groups = [
    { name: 'all ten conversations', which: conversations.map((_, at) => at), isJudged: true },
    { name: 'the five it was tuned on', which: TUNED, isJudged: false },
    {
      name: 'the other five',
      which: conversations.map((_, at) => at).filter((at) => !TUNED.includes(at)),
      isJudged: true,
    },
  ];
  const rows = groups.flatMap(({ name, which, isJudged }) =>
    BUDGETS.map(({ tokens, figure }) =>
      recallRow({ name, which, tokens, figure: isJudged ? figure : null, conversations, ranked }),
    ),
  );
  return [...rows, similarityRow(conversations, ranked), timeRow(conversations)];
}

function recallRow(input: {
  name: string;
  which: readonly number[];
  tokens: number;
  figure: number | null;
  conversations: readonly Prepared[];
  ranked: readonly RankedPassage[][][];
}): BenchRow {
  const shares: number[] = [];
  for (const at of input.which) {
    input.conversations[at]?.questions.forEach((question, number) => {
      const excerpts = selectExcerpts(input.ranked[at]?.[number] ?? [], {
        budgetChars: input.tokens * CHARS_PER_TOKEN,
      });
      shares.push(shareFound(question, excerpts));
    });
  }
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
function similarityRow(conversations: readonly Prepared[], ranked: readonly RankedPassage[][][]): BenchRow {
  const own: number[] = [];
  const foreign: number[] = [];
  let helped = 0;
  conversations.forEach((conversation, at) => {
    const other = conversations[(at + 1) % conversations.length];
    conversation.questions.forEach((question, number) => {
      const passages = ranked[at]?.[number] ?? [];
      const best = (list: readonly RankedPassage[]) =>
        list.reduce((most, passage) => Math.max(most, passage.similarity), 0);
      own.push(best(passages));
      const excerpts = selectExcerpts(passages, {
        budgetChars: 4000,
        minSimilarity: defaultMinSimilarity,
        maxExcerpts: RECALL_EXCERPTS,
      });
      if (shareFound(question, excerpts) > 0) helped += 1;
      const query = conversation.queries[number];
      if (query !== undefined && other !== undefined && number % 4 === 0) foreign.push(best(other.index.rank(query)));
    });
  });
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

function timeRow(conversations: readonly Prepared[]): BenchRow {
  const times: number[] = [];
  for (const { index, queries } of conversations.slice(0, 2)) {
    for (const query of queries) {
      const startedAt = performance.now();
      index.rank(query);
      times.push(performance.now() - startedAt);
    }
  }
  return {
    name: 'ranking one question over the candidates of a conversation',
    unit: 'ms',
    median: Math.round(medianOf(times) * 100) / 100,
    figure: null,
    isMet: true,
    detail: `${times.length} questions, without the database`,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printRows(await runLocomoBench());
