/** Names of files as people should see them. What is stored, sent and asked for keeps every character. */

/** Marks that turn the direction of what follows. They are invisible, and `photo\u202Egpj.exe` reads as `photoexe.jpg` with one. */
const TURNING_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name with those marks written out: `photo[U+202E]gpj.exe`. For labels and sentences too. */
export const visibleName = (name: string): string =>
  name.replace(TURNING_MARKS, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);

/** What may be cut where there is no room, and the end that has to stay in view as it says what the file is. */
export function splitShownName(name: string): { stem: string; end: string } {
  const visible = visibleName(name);
  const end = /^.+?((?:\.tar)?\.[^.\s]{1,12})$/su.exec(visible)?.[1] ?? '';
  return { stem: visible.slice(0, visible.length - end.length), end };
}
