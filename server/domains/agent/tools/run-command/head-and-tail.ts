/** Keeps the beginning and the end of a stream of text in bounded memory: errors stand at the end, causes at the start. */

export interface HeadAndTail {
  add(text: string): void;
  /** The text, with a note in the middle that says how many characters are missing. */
  text(): string;
  totalChars(): number;
}

export function createHeadAndTail(headChars: number, tailChars: number): HeadAndTail {
  let head = '';
  let tail = '';
  let total = 0;
  return {
    add(text) {
      total += text.length;
      const room = headChars - head.length;
      head += text.slice(0, room);
      // Twice the size before cutting, so that many small pieces do not copy the tail each time.
      tail += text.slice(Math.max(0, room));
      if (tail.length > 2 * tailChars) tail = tail.slice(-tailChars);
    },
    text() {
      const end = tail.slice(-tailChars);
      const missing = total - head.length - end.length;
      if (missing === 0) return head + end;
      const cleanHead = head.replace(/[\uD800-\uDBFF]$/, '');
      return `${cleanHead}\n[… ${missing} characters left out …]\n${end.replace(/^[\uDC00-\uDFFF]/, '')}`;
    },
    totalChars: () => total,
  };
}
