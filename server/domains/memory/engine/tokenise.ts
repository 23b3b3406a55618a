/**
 * Texts as terms. Words of alphabetic scripts give their stem and a prefix (which finds what stemming misses, in any
 * language); scripts without spaces give pairs of characters; identifiers give their parts as well.
 */
import { foldText } from './fold';
import { stem } from './stem';

/** One occurrence in order of the text. */
export interface Token {
  /** Folded, as written. */
  word: string;
  stem: string;
  /** The first letters, marked so that they never collide with a stem; null for short words and character pairs. */
  prefix: string | null;
  /** Cut out of a run without spaces: half of such pairs cross a border between words and mean nothing. */
  isPair: boolean;
}

/** Letters of a prefix: five tell "counselor" and "counseling" together and few unrelated words. */
const PREFIX_CHARS = 5;
/** Longer runs are blobs (base64, hashes of files): only their beginning can ever be searched for. */
const MAX_WORD_CHARS = 64;

/** Han, kana, Hangul, Thai, Lao, Khmer, Burmese: written without spaces between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const pieces = new RegExp(`[${unspaced}]+|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]+|\\p{Extended_Pictographic}`, 'gv');
const unspacedStart = new RegExp(`^[${unspaced}]`, 'v');
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

/** A tokeniser that remembers words: histories repeat theirs. One per service; it forgets everything now and then. */
export interface Tokeniser {
  tokens(text: string): Token[];
}

/** Words remembered before the memory is emptied: about 10 MB. */
const MAX_REMEMBERED = 50_000;

export function createTokeniser(): Tokeniser {
  const known = new Map<string, Token[]>();
  const tokensOf = (piece: string): Token[] => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const tokens = readPiece(piece);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(piece, tokens);
    return tokens;
  };
  return {
    tokens(text) {
      const found: Token[] = [];
      for (const piece of text.normalize('NFKC').match(pieces) ?? []) {
        for (const token of tokensOf(piece)) found.push(token);
      }
      return found;
    },
  };
}

function readPiece(piece: string): Token[] {
  if (unspacedStart.test(piece))
    return characterPairs(foldText(piece)).map((pair) => ({ word: pair, stem: pair, prefix: null, isPair: true }));
  const word = piece.slice(0, MAX_WORD_CHARS);
  const parts = word.split(humps);
  // A variation selector alone folds to nothing.
  return (parts.length > 1 ? [word, ...parts] : [word]).map(tokenOf).filter((token) => token.word !== '');
}

function tokenOf(written: string): Token {
  const word = foldText(written);
  return { word, stem: stem(word), prefix: prefixOf(word), isPair: false };
}

function prefixOf(word: string): string | null {
  return word.length > PREFIX_CHARS && /^\p{L}/u.test(word) ? `${word.slice(0, PREFIX_CHARS)}*` : null;
}

/** 东京塔 → 东京, 京塔; a single character stands for itself. */
function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
