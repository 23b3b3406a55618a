/**
 * Decides what is mathematics. Dollar signs are prices far more often than formulas, so `$…$` must earn it.
 * Rules: pandoc's (no space inside the dollars, no digit after the closing one), and the content must look like a formula.
 */

const MAX_INLINE_LENGTH = 1000;
const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/;

/** True when the text reads as a formula and not as prose, code or an amount. */
export function looksLikeMath(content: string): boolean {
  const text = content.trim();
  if (text.length > MAX_INLINE_LENGTH || !/[\p{L}\p{N}]/u.test(text)) return false;
  const hasCommand = /\\[a-zA-Z]+|\\[,;!{}|%\\]/.test(text);
  if (!hasCommand && CJK.test(text)) return false;
  const bare = text.replace(/\\(?:text|mathrm|operatorname|mbox)\s*\{[^}]*\}/g, ' ').replace(/\\[a-zA-Z]+/g, ' ');
  if (/[A-Za-z]{2,}[,;:]?\s+[A-Za-z]{2,}/.test(bare) || /\*\*/.test(bare)) return false;
  if (hasCommand) return true;
  if (/^[A-Za-z0-9.,]+['′]*$/.test(text)) return /^(?:[A-Za-z]{1,2}['′]*|\d+[A-Za-z]|\d+(?:\.\d+)?)$/.test(text);
  if (/[\^_=<>≤≥≠≈∈∑∫√±×÷→∞]/.test(text)) return true;
  return (
    /[A-Za-z(]/.test(text) &&
    !/[A-Za-z]{4,}/.test(text) &&
    /[-+*/(),|!:]/.test(text) &&
    /^[\w\s+\-*/(),|![\]:.']+$/.test(text)
  );
}

export interface MathSpan {
  text: string;
  isDisplay: boolean;
  endOffset: number;
  isClosed: boolean;
}

/**
 * Reads a formula that starts at `offset` of the inline text: `$$…$$`, `$…$`, `\[…\]` or `\(…\)`.
 * With `isOpenEnded` (text still arriving) a formula may lack its end.
 */
export function readMath(text: string, offset: number, isOpenEnded: boolean): MathSpan | null {
  const two = text.slice(offset, offset + 2);
  if (two === '\\[' || two === '\\(') {
    const isDisplay = two === '\\[';
    return readDelimited(text, offset, { close: isDisplay ? '\\]' : '\\)', isDisplay, isOpenEnded });
  }
  if (two === '$$') return readDelimited(text, offset, { close: '$$', isDisplay: true, isOpenEnded });
  return readSingleDollar(text, offset, isOpenEnded);
}

function readDelimited(
  text: string,
  offset: number,
  rule: { close: string; isDisplay: boolean; isOpenEnded: boolean },
): MathSpan | null {
  const rest = text.slice(offset + 2, offset + 2 + MAX_INLINE_LENGTH);
  const end = rest.indexOf(rule.close);
  const isUnfinished = end === -1 && rule.isOpenEnded && offset + 2 + rest.length === text.length;
  const content = end === -1 ? rest : rest.slice(0, end);
  if ((end === -1 && !isUnfinished) || !looksLikeMath(content)) return null;
  const endOffset = isUnfinished ? text.length : offset + 2 + end + rule.close.length;
  return { text: content, isDisplay: rule.isDisplay, endOffset, isClosed: !isUnfinished };
}

function readSingleDollar(text: string, offset: number, isOpenEnded: boolean): MathSpan | null {
  if (/[\w$\\]/.test(text.charAt(offset - 1)) || /[\s$]/.test(text.charAt(offset + 1) || ' ')) return null;
  const limit = Math.min(text.length, offset + MAX_INLINE_LENGTH);
  for (let end = offset + 1; end < limit; end += 1) {
    const char = text.charAt(end);
    if (char === '\\') end += 1;
    else if (char === '`') return null;
    else if (char === '$') {
      if (/\s/.test(text.charAt(end - 1)) || /[\w$]/.test(text.charAt(end + 1))) return null;
      const content = text.slice(offset + 1, end);
      return looksLikeMath(content) ? { text: content, isDisplay: false, endOffset: end + 1, isClosed: true } : null;
    }
  }
  // Still arriving: a formula already when it can be nothing else, so that its signs are not taken for emphasis.
  const content = text.slice(offset + 1);
  const isFormula =
    isOpenEnded && limit === text.length && /\\[a-zA-Z]|[\^_]\S/.test(content) && looksLikeMath(content);
  return isFormula ? { text: content, isDisplay: false, endOffset: text.length, isClosed: false } : null;
}

export interface MathBlockStart {
  close: '$$' | '\\]';
  /** Whether the end is still to come: the text ends before it does. */
  isClosed: boolean;
}

/**
 * Tells whether a block of mathematics starts with this line (`first`, trimmed) given the text after it.
 * The end must come before a blank line; at the end of the text a formula may still be open.
 */
export function findMathBlock(first: string, following: () => string): MathBlockStart | null {
  const open = first.slice(0, 2);
  if (open !== '$$' && open !== '\\[') return null;
  const close = open === '$$' ? '$$' : '\\]';
  const content = first.slice(2);
  const sameLine = content.indexOf(close);
  if (sameLine !== -1) {
    const isWhole = content.slice(sameLine + 2).trim() === '' && looksLikeMath(content.slice(0, sameLine));
    return isWhole ? { close, isClosed: true } : null;
  }
  if (content.trim() !== '' && !looksLikeMath(content)) return null;
  const rest = following();
  const blank = rest.search(/\n[ \t>]*\n/);
  const end = rest.indexOf(close);
  if (end !== -1 && (blank === -1 || end < blank)) {
    const after = rest.slice(end + 2, rest.indexOf('\n', end) === -1 ? undefined : rest.indexOf('\n', end));
    return /^[ \t.,;]*$/.test(after) ? { close, isClosed: true } : null;
  }
  return blank === -1 ? { close, isClosed: false } : null;
}
