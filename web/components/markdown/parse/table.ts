import type { Align } from './types';

/** Splits a table row into trimmed cells. A pipe that is part of a cell is written `\|`. */
export function splitRow(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  const row = line.trim();
  for (let index = row.startsWith('|') ? 1 : 0; index < row.length; index += 1) {
    const char = row.charAt(index);
    if (char === '\\' && row.charAt(index + 1) === '|') {
      cell += '|';
      index += 1;
    } else if (char === '\\') {
      cell += char + row.charAt(index + 1);
      index += 1;
    } else if (char === '|') {
      cells.push(cell.trim());
      cell = '';
      if (index === row.length - 1) return cells;
    } else {
      cell += char;
    }
  }
  cells.push(cell.trim());
  return cells;
}

const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Alignments that a delimiter row (`|:--|--:|`) asks for, or null when the line is none. */
export function readDelimiterRow(line: string): Align[] | null {
  if (!DELIMITER_ROW.test(line) || !/[|:]/.test(line)) return null;
  return splitRow(line).map((cell) => {
    const isLeft = cell.startsWith(':');
    const isRight = cell.endsWith(':');
    return isLeft && isRight ? 'center' : isRight ? 'right' : isLeft ? 'left' : null;
  });
}

/** The row with exactly `count` cells: GFM drops what is too much and fills what is missing. */
export function fitRow(line: string, count: number): string[] {
  const cells = splitRow(line).slice(0, count);
  while (cells.length < count) cells.push('');
  return cells;
}
