/**
 * Shown names of session files. They are the person's: any script, kept exactly. What lies on disk has a name of ours, so a
 * name here can lead nowhere; the rules only keep out what no file system, header or path of a tool could carry.
 */
import { AppError } from '../../../lib/errors';

/** Longest name in bytes of UTF-8: what a file system takes, so that a downloaded copy keeps its name. */
export const MAX_NAME_BYTES = 255;

const byteLength = (text: string) => new TextEncoder().encode(text).length;

/**
 * The name under which an upload is kept: the last part of what the client sent, as old browsers send whole paths and an
 * attacker sends `../..`. Throws `invalid-input` in words where nothing usable is left.
 */
export function uploadName(sent: string): string {
  const name = sent.split(/[/\\]/).at(-1) ?? '';
  if (name.trim() === '' || name === '.' || name === '..') throw new AppError('invalid-input', 'A file needs a name.');
  if (/\p{Cc}/u.test(name)) {
    throw new AppError('invalid-input', 'This name holds a control character. Rename the file and send it again.');
  }
  if (!name.isWellFormed()) throw new AppError('invalid-input', 'This name is not valid Unicode text.');
  if (byteLength(name) > MAX_NAME_BYTES) {
    throw new AppError('invalid-input', `This name is too long: ${MAX_NAME_BYTES} bytes are the most. Shorten it.`);
  }
  return name;
}

/** Stem and extension, the dot with the latter: `archive` and `.tar.gz`. A leading dot begins a stem, not an extension. */
export function splitName(name: string): { stem: string; extension: string } {
  const extension = /^.+?((?:\.tar)?\.[^.\s]{1,20})$/su.exec(name)?.[1] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** The extension in lower case without its dot; '' for none. */
export function extensionOf(name: string): string {
  return (/\.([^.]*)$/.exec(name)?.[1] ?? '').toLowerCase();
}

/** `name`, or with the first free number behind its stem: `a (1).txt`. The stem is shortened where the limit asks for it. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  const { stem, extension } = splitName(name);
  for (let number = 1; ; number++) {
    const suffix = ` (${number})${extension}`;
    const numbered = `${cutToBytes(stem, MAX_NAME_BYTES - byteLength(suffix))}${suffix}`;
    if (!isTaken(numbered)) return numbered;
  }
}

/**
 * The number of the next pasted image: one above the highest that stands, whatever the format (seed 004), and above `last`, the
 * highest that was ever given: messages keep naming the images that were removed.
 */
export function nextImageNumber(names: readonly string[], last: number): number {
  const numbers = names.map((name) => Number(/^image_([1-9]\d{0,8})\.[a-z0-9]+$/.exec(name)?.[1] ?? 0));
  return numbers.reduce((highest, number) => Math.max(highest, number), last) + 1;
}

/** The longest start of `text` that fits, never ending inside a character. */
function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
