/** Cutting text without splitting a surrogate pair. Lengths are UTF-16 code units, as everywhere tokens are estimated. */

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/** The first `chars` characters, one less where the cut would split a pair. */
export function takeHead(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return text.slice(0, isLowSurrogate(text.charCodeAt(chars)) ? chars - 1 : chars);
}

/** The last `chars` characters, one less where the cut would split a pair. */
export function takeTail(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const start = text.length - chars;
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

/** The beginning of a text, with an ellipsis and its full length when something is missing. */
export function headOf(text: string, chars: number): string {
  return text.length <= chars ? text : `${takeHead(text, chars)}… [${text.length} characters]`;
}

/** Both ends of a text, `headShare` of `chars` from the beginning; says how much is missing between them. */
export function cutMiddle(text: string, chars: number, headShare = 0.5): string {
  if (text.length <= chars) return text;
  const head = takeHead(text, Math.floor(chars * headShare));
  const tail = takeTail(text, chars - Math.floor(chars * headShare));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
