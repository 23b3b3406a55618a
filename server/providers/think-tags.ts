/**
 * Many local models write their reasoning into the answer as `<think>…</think>`. This splits it out while it streams,
 * however the chunks fall, and leaves tags inside code alone: there a person is being told about them.
 */

export type SplitPart = { type: 'text-delta' | 'thinking-delta'; text: string };

export interface ThinkSplitter {
  /** What can be said after this chunk; adjacent pieces of one kind are joined. */
  push(chunk: string): SplitPart[];
  /** What was held back at the end: a tag that never came to be is text. */
  flush(): SplitPart[];
}

const OPEN_TAGS = ['<think>', '<thinking>'] as const;
const CLOSE_TAGS = ['</think>', '</thinking>'] as const;

/** Creates the splitter of one answer. Pure; holds back at most one unfinished tag and white space beside a tag. */
export function createThinkSplitter(): ThinkSplitter {
  let held = '';
  let isThinking = false;
  let code = startOfText();
  /** White space next to a tag belongs to neither side. */
  let skipsSpace = true;
  let leadingSpace = '';

  const run = (input: string, isLast: boolean): SplitPart[] => {
    const parts: SplitPart[] = [];
    let from = 0;
    let at = 0;
    const emit = (until: number) => {
      if (until > from) addPart(parts, isThinking, input.slice(from, until));
      from = until;
    };
    while (at < input.length) {
      const character = input.charAt(at);
      if (skipsSpace && /\s/.test(character)) {
        leadingSpace += character;
        at++;
        from = at;
        continue;
      }
      if (character === '<' && (isThinking || !code.isInside())) {
        const tag = matchTag(input, at, isThinking ? CLOSE_TAGS : OPEN_TAGS, isLast);
        if (tag === 'partial') {
          emit(at);
          held = input.slice(at);
          return parts;
        }
        if (tag !== null) {
          emit(at);
          isThinking = !isThinking;
          code = startOfText();
          at += tag.length;
          from = at;
          skipsSpace = true;
          leadingSpace = '';
          continue;
        }
      }
      if (skipsSpace) {
        // Indentation at the head of an answer can carry meaning; blank space after a tag does not.
        const indentation = code.hasStarted() || isThinking ? '' : leadingSpace.replace(/^\s*\n/, '');
        addPart(parts, isThinking, indentation);
        skipsSpace = false;
        leadingSpace = '';
      }
      if (!isThinking) code.read(character);
      at++;
    }
    emit(at);
    held = '';
    return parts;
  };

  return {
    push: (chunk) => run(held + chunk, false),
    flush: () => run(held, true),
  };
}

function addPart(parts: SplitPart[], isThinking: boolean, text: string): void {
  if (text === '') return;
  const type = isThinking ? 'thinking-delta' : 'text-delta';
  const last = parts.at(-1);
  if (last?.type === type) last.text += text;
  else parts.push({ type, text });
}

function matchTag(input: string, at: number, tags: readonly string[], isLast: boolean): string | 'partial' | null {
  const rest = input.slice(at, at + 12).toLowerCase();
  for (const tag of tags) if (rest.startsWith(tag)) return tag;
  return !isLast && tags.some((tag) => tag.startsWith(rest)) ? 'partial' : null;
}

interface CodeState {
  read(character: string): void;
  isInside(): boolean;
  hasStarted(): boolean;
}

/** Follows backticks: a run of three or more at the head of a line is a fence, another run opens an inline span. */
function startOfText(): CodeState {
  let runLength = 0;
  let isRunAtLineStart = true;
  let isLineBlank = true;
  let isStarted = false;
  let fenceLength = 0;
  let spanLength = 0;

  const endRun = () => {
    if (runLength === 0) return;
    if (fenceLength > 0) {
      if (isRunAtLineStart && runLength >= fenceLength) fenceLength = 0;
    } else if (spanLength > 0) {
      if (runLength === spanLength) spanLength = 0;
    } else if (isRunAtLineStart && runLength >= 3) fenceLength = runLength;
    else spanLength = runLength;
    runLength = 0;
  };

  return {
    read(character) {
      isStarted = true;
      if (character === '`') {
        if (runLength === 0) isRunAtLineStart = isLineBlank;
        runLength++;
        isLineBlank = false;
        return;
      }
      endRun();
      if (character === '\n') {
        // A span may cross one line break but not a blank line; ending it here keeps a stray backtick harmless.
        spanLength = 0;
        isLineBlank = true;
      } else if (character !== ' ' && character !== '\t') isLineBlank = false;
    },
    isInside() {
      endRun();
      return fenceLength > 0 || spanLength > 0;
    },
    hasStarted: () => isStarted,
  };
}
